# A weather office's orchestration server: variables, a work pool, concurrency limits, flow runs.
import json, sys, urllib.request
B = sys.argv[1]
def post(p, d):
    r = urllib.request.Request(B + p, json.dumps(d).encode(), {'content-type': 'application/json'})
    b = urllib.request.urlopen(r).read(); return json.loads(b) if b else None
for n, v, t in [('station_count', 42, ['fieldwork']), ('alert_email', 'storm@weather.example', ['contact', 'urgent']), ('retention_days', 120, ['archive']),
                ('map_region', 'north', ['fieldwork', 'map']), ('backup_region', 'south', ['map']), ('frost_threshold', -4, [])]:
    post('/variables/', dict(name=n, value=v, tags=t))
for n, d, l in [('harbour-pool', 'Jobs for the harbour stations', 3), ('summit-pool', 'Jobs for the mountain stations', 12)]:
    post('/work_pools/', dict(name=n, type='process', description=d, concurrency_limit=l, base_job_template={}))
for n, l in [('radar', 2), ('database', 20)]:
    post('/concurrency_limits/', dict(tag=n, concurrency_limit=l))
for n, l in [('satellite-uplink', 5), ('printer', 1)]:
    post('/v2/concurrency_limits/', dict(name=n, limit=l, active=True))
flows = {n: post('/flows/', dict(name=n, tags=[]))['id'] for n in ['collect-readings', 'publish-forecast', 'clean-archive']}
for i, (f, name, st, tags) in enumerate([('collect-readings', 'misty-heron', 'COMPLETED', ['daily']), ('collect-readings', 'brave-otter', 'FAILED', ['daily']),
        ('collect-readings', 'quiet-lynx', 'COMPLETED', ['daily']), ('publish-forecast', 'amber-finch', 'COMPLETED', ['public']), ('publish-forecast', 'lone-badger', 'CRASHED', ['public']),
        ('clean-archive', 'dusty-crane', 'CANCELLED', [])]):
    r = post('/flow_runs/', dict(flow_id=flows[f], name=name, tags=tags, state=dict(type='PENDING', name='Pending')))
    post(f"/flow_runs/{r['id']}/set_state", dict(state=dict(type='RUNNING', name='Running'), force=True))
    post(f"/flow_runs/{r['id']}/set_state", dict(state=dict(type=st, name=st.capitalize()), force=True))
