import sys

print(f"{sys.argv[1]} cars of class {sys.argv[2]}")
