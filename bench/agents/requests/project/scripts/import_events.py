import sys

print(f"importing {sys.argv[1]} for the {sys.argv[2]}")
