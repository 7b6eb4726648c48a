print("0 records changed")
