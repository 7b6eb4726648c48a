"""A client of Socket.IO: `socket_client.py URL OPTIONS`.

OPTIONS is JSON: `namespaces`, and where they are wanted `transports`, `auth` and `headers`. Prints a line of JSON for
everything that it hears, and does what lines of its input say: {"emit": [namespace, event, data], "id": 1},
{"binary": [namespace, event], "id": 1}, {"leave": namespace}, {"end": true}.
"""

import json
import sys
import threading

import socketio

printing = threading.Lock()


def say(**what):
    with printing:
        print(json.dumps(what), flush=True)


def main():
    url, options = sys.argv[1], json.loads(sys.argv[2])
    headers = options.get("headers", {})
    more = {}
    if options.get("transports") == ["websocket"] and "Origin" in headers:
        # It sends one by itself, and a second one would be refused.
        more["websocket_extra_options"] = {"origin": headers.pop("Origin")}
    client = socketio.Client(reconnection=False, handle_sigint=False, **more)
    for namespace in options["namespaces"]:
        listen(client, namespace)
    try:
        client.connect(
            url,
            namespaces=options["namespaces"],
            transports=options.get("transports"),
            auth=options.get("auth"),
            headers=headers,
            wait_timeout=10,
        )
    except socketio.exceptions.ConnectionError as error:
        say(heard="refused", message=str(error))
        return
    say(heard="transport", name=client.transport())
    for line in sys.stdin:
        order = json.loads(line)
        if "emit" in order:
            namespace, event, data = order["emit"]
            client.emit(event, data, namespace=namespace, callback=told(order["id"]))
        elif "binary" in order:
            namespace, event = order["binary"]
            client.emit(event, b"\x00\x01\x02", namespace=namespace, callback=told(order["id"]))
        else:
            break
    client.disconnect()


def told(number):
    return lambda *answer: say(heard="ack", id=number, data=list(answer))


def listen(client, namespace):
    client.on("connect", lambda: say(heard="connect", namespace=namespace), namespace=namespace)
    client.on("connect_error", lambda data=None: say(heard="connect_error", namespace=namespace, data=data), namespace=namespace)
    client.on("disconnect", lambda reason=None: say(heard="disconnect", namespace=namespace), namespace=namespace)
    client.on("*", lambda event, *data: say(heard="event", namespace=namespace, name=event, data=list(data)), namespace=namespace)


main()
