# The folders of an architect's office: four folders, two devices that are away.
import pathlib, re, subprocess, sys, tempfile
seed, live, port = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
def device(home):
    subprocess.run(['syncthing', 'generate', f'--home={home}', '--no-default-folder', '--skip-port-probing'], check=True, stdout=subprocess.DEVNULL)
    return re.search(r'<device id="([A-Z0-9-]+)"', (pathlib.Path(home) / 'config.xml').read_text()).group(1)
(seed / 'home').mkdir()
me = device(seed / 'config')
with tempfile.TemporaryDirectory() as a: tablet = device(a)
with tempfile.TemporaryDirectory() as a: archive = device(a)
files = {
 'tower': {'plans/ground-floor.dwg': 4000, 'plans/roof.dwg': 6000, 'minutes/2026-10-05.txt': 900, 'minutes/2026-10-19.txt': 1100, 'budget.ods': 8000},
 'photos': {f'site-{n:02}.jpg': 20000 for n in range(1, 9)},
 'templates': {'letter.odt': 3000, 'invoice.odt': 3500, 'contract.odt': 5000},
 'scans': {},
}
for name, made in files.items():
    (seed / 'office' / name / '.stfolder').mkdir(parents=True)
    for file, size in made.items():
        at = seed / 'office' / name / file; at.parent.mkdir(parents=True, exist_ok=True); at.write_bytes(b'x' * size)
def folder(id, label, type, who, extra=''):
    them = ''.join(f'<device id="{d}"></device>' for d in [me, *who])
    return f'<folder id="{id}" label="{label}" path="{live}/office/{id}" type="{type}" rescanIntervalS="3600" fsWatcherEnabled="false" ignorePerms="false" autoNormalize="true"><filesystemType>basic</filesystemType>{them}<minDiskFree unit="%">1</minDiskFree>{extra}</folder>'
def dev(id, name, extra=''):
    return f'<device id="{id}" name="{name}" compression="metadata" introducer="false"><address>tcp://127.0.0.1:1</address>{extra}</device>'
(seed / 'config' / 'config.xml').write_text(f'''<configuration version="36">
{folder('tower', 'Lindholm Tower', 'sendreceive', [tablet], '<versioning type="simple"><param key="keep" val="7"/></versioning>')}
{folder('photos', 'Site photos', 'receiveonly', [tablet, archive])}
{folder('templates', 'Letter templates', 'sendonly', [archive])}
{folder('scans', 'Old scans', 'sendreceive', [], '<paused>true</paused>')}
{dev(me, 'drawing-room')}
{dev(tablet, 'Field tablet')}
{dev(archive, 'Cellar archive', '<paused>true</paused>')}
<gui enabled="true" tls="false" debugging="false"><address>127.0.0.1:{port}</address><apikey>blueprint</apikey><theme>default</theme></gui>
<options><listenAddress>tcp://127.0.0.1:18493</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled><startBrowser>false</startBrowser><urAccepted>-1</urAccepted><urSeen>3</urSeen><autoUpgradeIntervalH>0</autoUpgradeIntervalH><crashReportingEnabled>false</crashReportingEnabled><stunServer></stunServer></options>
</configuration>''')
