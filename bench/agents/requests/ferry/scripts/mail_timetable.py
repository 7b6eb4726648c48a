import sys

print(f"the timetable of {sys.argv[1]} went out in {sys.argv[2]}")
