# A bookshop: two virtual hosts, four people, exchanges, queues with a few messages, policies and limits.
import base64
import hashlib
import json
import sys
import urllib.request

api = sys.argv[1]
who = "guest:guest"


def ask(method, path, body=None):
    request = urllib.request.Request(api + path, method=method, data=None if body is None else json.dumps(body).encode(), headers={
        "Content-Type": "application/json", "Authorization": "Basic " + base64.b64encode(who.encode()).decode()})
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
    return json.loads(text) if text else None


for name, password, tags in (
        ("karin", "Paper-Lantern-3", "administrator"), ("tomas", "Ink-Well-5", "monitoring"), ("till", "Cash-Drawer-8", ""), ("courier", "Van-Key-2", "")):
    # a salt of one's own, so that two seedings are alike
    salt = hashlib.sha256(name.encode()).digest()[:4]
    ask("PUT", "/users/" + name, {"password_hash": base64.b64encode(salt + hashlib.sha256(salt + password.encode()).digest()).decode(), "tags": tags})
ask("PUT", "/permissions/%2F/karin", {"configure": ".*", "write": ".*", "read": ".*"})
who = "karin:Paper-Lantern-3"
ask("DELETE", "/users/guest")
ask("PUT", "/cluster-name", {"name": "bookshop"})
ask("PUT", "/global-parameters/internal_cluster_id", {"name": "internal_cluster_id", "value": "rabbitmq-cluster-id-of-the-bookshop"})
for vhost, text in (("shop", "Orders and stock"), ("warehouse", "Parcels on their way")):
    ask("PUT", "/vhosts/" + vhost, {"description": text, "tags": ""})
    for name in ("karin", "tomas", "till" if vhost == "shop" else "courier"):
        ask("PUT", "/permissions/%s/%s" % (vhost, name), {"configure": ".*", "write": ".*", "read": ".*"})
ask("PUT", "/topic-permissions/shop/till", {"exchange": "news", "write": "^new\\.", "read": ".*"})
for vhost, name, kind in (("shop", "orders", "direct"), ("shop", "news", "topic"), ("shop", "returns", "fanout"), ("warehouse", "parcels", "headers")):
    ask("PUT", "/exchanges/%s/%s" % (vhost, name), {"type": kind, "durable": True, "auto_delete": False, "internal": False, "arguments": {}})
for vhost, name, kind in (
        ("shop", "orders.web", "classic"), ("shop", "orders.counter", "classic"), ("shop", "newsletter", "classic"), ("shop", "refunds", "quorum"),
        ("warehouse", "parcels.north", "classic"), ("warehouse", "parcels.south", "classic")):
    ask("PUT", "/queues/%s/%s" % (vhost, name), {"durable": True, "auto_delete": False, "arguments": {"x-queue-type": kind}})
for vhost, exchange, queue, key in (
        ("shop", "orders", "orders.web", "web"), ("shop", "orders", "orders.counter", "counter"), ("shop", "news", "newsletter", "new.#"),
        ("shop", "returns", "refunds", ""), ("warehouse", "parcels", "parcels.north", "north"), ("warehouse", "parcels", "parcels.south", "south")):
    ask("POST", "/bindings/%s/e/%s/q/%s" % (vhost, exchange, queue), {"routing_key": key, "arguments": {}})
for exchange, key, text in (
        ("orders", "web", "Two atlases"), ("orders", "web", "One cookbook"), ("orders", "counter", "A map of the old town"), ("news", "new.poems", "Poems of the sea")):
    answer = ask("POST", "/exchanges/shop/%s/publish" % exchange, {"properties": {"delivery_mode": 2}, "routing_key": key, "payload": text, "payload_encoding": "string"})
    assert answer["routed"], text
ask("PUT", "/policies/shop/short-queues", {"pattern": "^orders", "definition": {"max-length": 1000}, "priority": 1, "apply-to": "queues"})
ask("PUT", "/policies/shop/old-news", {"pattern": "^newsletter$", "definition": {"message-ttl": 864000000}, "priority": 0, "apply-to": "queues"})
ask("PUT", "/operator-policies/warehouse/small-van", {"pattern": "^parcels", "definition": {"max-length": 200}, "priority": 0, "apply-to": "queues"})
ask("PUT", "/vhost-limits/warehouse/max-queues", {"value": 20})
ask("PUT", "/user-limits/courier/max-connections", {"value": 3})
print(ask("GET", "/whoami"))
