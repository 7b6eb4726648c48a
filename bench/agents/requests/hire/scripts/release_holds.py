import sys

print(f"0 cars were on hold for {sys.argv[1]} minutes")
