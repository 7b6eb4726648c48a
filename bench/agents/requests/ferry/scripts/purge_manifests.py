import sys

print(f"nothing is older than {sys.argv[1]} days")
