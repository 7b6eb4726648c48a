import sys

print(f"{sys.argv[1]} is blocked: {sys.argv[2]}")
