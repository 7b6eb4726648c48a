import sys

print(f"{sys.argv[1]} is in force for {sys.argv[2]}")
