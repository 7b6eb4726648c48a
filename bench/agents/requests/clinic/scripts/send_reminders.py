import sys

print(f"reminders for in {sys.argv[1]} days by {sys.argv[2]}: none")
