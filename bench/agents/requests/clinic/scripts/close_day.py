import sys

print(f"{sys.argv[1]} is closed")
