# The others in the chat: they join, greet petra when she comes, and answer "!ferry" and "!wind".
import socket, sys, threading, time

PORT = int(sys.argv[1])
ONCE = {"#harbour": [("anders", "The 14:00 ferry is ten minutes late"), ("bodil", "Thanks, I will tell the passengers"), ("anders", "Crane 3 is out of order until Friday")],
        "#regatta": [("bodil", "Crew lists are due on Sunday")]}
ANSWERS = {"!ferry": "Next ferry: 15:00 from pier 2", "!wind": "Wind: 6 knots from the west"}
PEOPLE = {"anders": ["#harbour", "#kitchen"], "bodil": ["#harbour", "#regatta"], "pilotbot": ["#harbour", "#regatta"]}
socks, ready, lock = {}, {}, threading.Lock()


def send(nick, line):
    with lock:
        socks[nick].sendall((line + "\r\n").encode())


def greet(channel):
    time.sleep(0.5)
    for who, text in ONCE.pop(channel, []):
        send(who, f"PRIVMSG {channel} :{text}")
        time.sleep(0.3)
    if not ONCE:
        print("petra is welcome", flush=True)


def live(nick, channels):
    s = socks[nick] = socket.create_connection(("127.0.0.1", PORT))
    send(nick, f"NICK {nick}")
    send(nick, f"USER {nick} 0 * :{nick.capitalize()} of the harbour")
    buffer = b""
    while True:
        data = s.recv(4096)
        if not data:
            return
        buffer += data
        *lines, buffer = buffer.split(b"\n")
        for raw in lines:
            line = raw.decode(errors="replace").rstrip("\r")
            words = line.split()
            if words[0] == "PING":
                send(nick, "PONG " + words[1])
            elif words[1] == "001":
                for c in channels:
                    send(nick, "JOIN " + c)
            elif nick == "pilotbot" and words[1] == "JOIN" and line.startswith(":petra!"):
                threading.Thread(target=greet, args=(words[2].lstrip(":"),), daemon=True).start()
            elif nick == "pilotbot" and words[1] == "PRIVMSG":
                text = line.split(" :", 1)[1].strip()
                to = words[2] if words[2].startswith("#") else line[1:].split("!")[0]
                if text in ANSWERS:
                    send(nick, f"PRIVMSG {to} :{ANSWERS[text]}")


threads = [threading.Thread(target=live, args=a, daemon=True) for a in PEOPLE.items()]
for t in threads:
    t.start()
    time.sleep(0.3)
for t in threads:
    t.join()
