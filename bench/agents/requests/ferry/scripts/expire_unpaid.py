import sys

print(f"0 bookings were unpaid for {sys.argv[1]} hours")
