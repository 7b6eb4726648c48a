import sys

print(f"{sys.argv[1]} is cancelled: {sys.argv[2]}")
