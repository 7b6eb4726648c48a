import sys

print(f"{sys.argv[1]} patients for {sys.argv[2]}")
