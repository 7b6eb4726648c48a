import { useEffect, useRef, useState } from 'react';
import { Alert, Autocomplete, Button, Dialog, DialogActions, DialogTitle, FormControl, InputLabel, MenuItem, Select, Skeleton, Snackbar, TextField } from '@mui/material';
import ReactSelect from 'react-select';
import { Select as AntSelect, message } from 'antd';

const WOODS = ['Oak', 'Birch', 'Larch'], CITIES = ['Bergen', 'Berlin', 'Bern', 'Madrid'];
const option = x => ({ value: x, label: x });

export default function Desk() {
  const [rows, setRows] = useState(null), [who, setWho] = useState(''), [snack, setSnack] = useState(''), [ask, setAsk] = useState(false);
  const [wood, setWood] = useState('Oak'), [city, setCity] = useState(null), [grade, setGrade] = useState(null), [extras, setExtras] = useState([]), [team, setTeam] = useState();
  const [reply, setReply] = useState(''), ws = useRef();
  useEffect(() => { fetch('/json/700/orders').then(r => r.json()).then(setRows); }, []);
  useEffect(() => { ws.current = new WebSocket(`ws://${location.host}/ws`); ws.current.onmessage = e => setReply(e.data); return () => ws.current.close(); }, []);
  const order = async () => { await fetch('/json/800/ok'); setSnack(`Order placed for ${who}`); };
  if (!rows) return <div><Skeleton width={300} height={60} /><Skeleton width={300} /></div>;
  return <>
    <h1>Order desk</h1>
    <TextField label="Customer" value={who} onChange={e => setWho(e.target.value)} />
    <Button variant="contained" onClick={order}>Place order</Button>
    <Button onClick={() => ws.current.send(JSON.stringify({ after: [900], say: ['The saw plan needs 14 cuts'] }))}>Calculate</Button>
    <Button onClick={() => setAsk(true)}>Cancel order</Button>
    <Button onClick={async () => { await fetch('/json/500/ok'); message.success('Reminder is set for Monday'); }}>Remind me</Button>
    <p>{reply}</p>
    <FormControl sx={{ m: 1, minWidth: 160 }}><InputLabel id="wood">Wood</InputLabel><Select labelId="wood" label="Wood" value={wood} onChange={e => setWood(e.target.value)}>{WOODS.map(x => <MenuItem key={x} value={x}>{x}</MenuItem>)}</Select></FormControl>
    <p>Wood is {wood}</p>
    <Autocomplete options={CITIES} value={city} onChange={(_, v) => setCity(v)} renderInput={p => <TextField {...p} label="City" />} />
    <p>City is {city}</p>
    <label htmlFor="grade">Grade</label><ReactSelect inputId="grade" options={['First', 'Second', 'Third'].map(option)} onChange={v => setGrade(v.value)} />
    <p>Grade is {grade}</p>
    <label htmlFor="extras">Extras</label><ReactSelect inputId="extras" isMulti options={['Planed', 'Oiled', 'Cut to length'].map(option)} onChange={v => setExtras(v.map(x => x.value))} />
    <p>Extras are {extras.join(' and ')}</p>
    <label htmlFor="team">Team</label><AntSelect id="team" style={{ width: 200 }} options={['Saw', 'Plane', 'Glue'].map(option)} value={team} onChange={setTeam} />
    <p>Team is {team}</p>
    <ul>{rows.map(r => <li key={r.id}>{r.name}: {r.pieces} <Button>Edit</Button></li>)}</ul>
    <Dialog open={ask} onClose={() => setAsk(false)}><DialogTitle>Cancel the order?</DialogTitle><DialogActions><Button onClick={() => { setAsk(false); setSnack('The order was cancelled'); }}>Yes, cancel</Button></DialogActions></Dialog>
    <Snackbar open={!!snack} autoHideDuration={4000} onClose={() => setSnack('')}><Alert severity="success">{snack}</Alert></Snackbar>
  </>;
}
