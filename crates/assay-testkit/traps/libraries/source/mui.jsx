// Screens with Material UI. A page names its screen in <body data-screen="…">.
import React, { useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import dayjs from 'dayjs';
import {
  Accordion, AccordionDetails, AccordionSummary, Alert, AppBar, Autocomplete, Avatar, Badge, Box, Button, Checkbox, Chip,
  CircularProgress, Container, CssBaseline, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle, Divider,
  FormControl, FormControlLabel, FormHelperText, FormLabel, IconButton, InputLabel, List, ListItem, ListItemAvatar,
  ListItemText, Menu, MenuItem, Paper, Radio, RadioGroup, Rating, Select, Skeleton, Slider, Snackbar, Stack, Step, StepLabel,
  Stepper, SvgIcon, Switch, Tab, Table, TableBody, TableCell, TableContainer, TableHead, TablePagination, TableRow,
  TableSortLabel, Tabs, TextField, ToggleButton, ToggleButtonGroup, Toolbar, Tooltip, Typography,
} from '@mui/material';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { DesktopDatePicker } from '@mui/x-date-pickers/DesktopDatePicker';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';

const icon = (d) => (props) => <SvgIcon {...props}><path d={d} /></SvgIcon>;
const BellIcon = icon('M12 22c1.1 0 2-.9 2-2h-4c0 1.1.9 2 2 2m6-6v-5c0-3.07-1.63-5.64-4.5-6.32V4c0-.83-.67-1.5-1.5-1.5s-1.5.67-1.5 1.5v.68C7.64 5.36 6 7.92 6 11v5l-2 2v1h16v-1z');
const MailIcon = icon('M20 4H4c-1.1 0-2 .9-2 2v12c0 1.1.9 2 2 2h16c1.1 0 2-.9 2-2V6c0-1.1-.9-2-2-2m0 4-8 5-8-5V6l8 5 8-5z');
const TrashIcon = icon('M6 19c0 1.1.9 2 2 2h8c1.1 0 2-.9 2-2V7H6zM19 4h-3.5l-1-1h-5l-1 1H5v2h14z');
const HeartIcon = icon('m12 21.35-1.45-1.32C5.4 15.36 2 12.28 2 8.5 2 5.42 4.42 3 7.5 3c1.74 0 3.41.81 4.5 2.09C13.09 3.81 14.76 3 16.5 3 19.58 3 22 5.42 22 8.5c0 3.78-3.4 6.86-8.55 11.54z');
const MoreIcon = icon('M16.59 8.59 12 13.17 7.41 8.59 6 10l6 6 6-6z');

function SignupForm() {
  const [v, setV] = useState({ name: '', email: '', password: '', country: '', terms: false, tips: true });
  const [tried, setTried] = useState(false);
  const [done, setDone] = useState('');
  const set = (k) => (e) => setV({ ...v, [k]: e.target.type === 'checkbox' ? e.target.checked : e.target.value });
  const err = {
    name: v.name.trim() ? '' : 'Enter your name',
    email: /^\S+@\S+\.\S+$/.test(v.email) ? '' : 'Enter a valid email address',
    password: v.password.length >= 10 ? '' : 'Password must have at least 10 characters',
    terms: v.terms ? '' : 'You must accept the terms',
  };
  const show = (k) => (tried && err[k]) || '';
  const submit = (e) => {
    e.preventDefault();
    setTried(true);
    if (!Object.values(err).some(Boolean)) setDone(v.email);
  };
  return (
    <Container maxWidth="sm" sx={{ py: 4 }}>
      <Typography variant="overline">Northgate Clinic</Typography>
      <Typography variant="h5" component="h1" gutterBottom>Patient portal registration</Typography>
      {done && <Alert severity="success" sx={{ mb: 2 }}>We sent a confirmation link to {done}</Alert>}
      <Stack component="form" noValidate spacing={2} onSubmit={submit}>
        <TextField label="Full name" required value={v.name} onChange={set('name')} error={!!show('name')} helperText={show('name')} />
        <TextField label="Email" required type="email" autoComplete="username" placeholder="name@mail.example" value={v.email} onChange={set('email')}
          error={!!show('email')} helperText={show('email') || 'We send the confirmation here'} />
        <TextField label="Password" required type="password" autoComplete="new-password" value={v.password} onChange={set('password')}
          error={!!show('password')} helperText={show('password') || 'At least 10 characters'} />
        <FormControl fullWidth>
          <InputLabel id="country-label">Country</InputLabel>
          <Select labelId="country-label" label="Country" value={v.country} onChange={set('country')}>
            <MenuItem value="de">Germany</MenuItem>
            <MenuItem value="at">Austria</MenuItem>
            <MenuItem value="ch" disabled>Switzerland (coming soon)</MenuItem>
          </Select>
        </FormControl>
        <FormControl error={!!show('terms')}>
          <FormControlLabel control={<Checkbox checked={v.terms} onChange={set('terms')} />} label="I accept the terms" />
          {show('terms') && <FormHelperText>{show('terms')}</FormHelperText>}
        </FormControl>
        <FormControlLabel control={<Checkbox checked={v.tips} onChange={set('tips')} />} label="Send me health tips" />
        <Button type="submit" variant="contained" disabled={!!done}>Create account</Button>
      </Stack>
    </Container>
  );
}

const INVOICES = [
  ['INV-2041', 'Albright & Sons', '2025-03-04', 1240, 'Paid'], ['INV-2042', 'Baltic Foods', '2025-03-07', 318.5, 'Overdue'],
  ['INV-2043', 'Cobalt Studio', '2025-03-09', 86, 'Paid'], ['INV-2044', 'Dornier Logistics', '2025-03-11', 12400, 'Draft'],
  ['INV-2045', 'Easton Clinic', '2025-03-15', 945.2, 'Overdue'], ['INV-2046', 'Fjord Travel', '2025-03-18', 2075, 'Paid'],
  ['INV-2047', 'Grove Bakery', '2025-03-19', 64.9, 'Draft'], ['INV-2048', 'Hallam School', '2025-03-21', 3310, 'Paid'],
  ['INV-2049', 'Ibis Hotels', '2025-03-22', 780, 'Overdue'], ['INV-2050', 'Juniper Labs', '2025-03-25', 5150, 'Paid'],
  ['INV-2051', 'Kestrel Media', '2025-03-28', 410.75, 'Paid'], ['INV-2052', 'Lowell Dental', '2025-03-30', 1999, 'Overdue'],
].map(([no, customer, due, amount, status]) => ({ no, customer, due, amount, status }));
const euro = (n) => '€' + n.toLocaleString('en-US', { minimumFractionDigits: 2 });
const COLOR = { Paid: 'success', Overdue: 'error', Draft: 'default' };

function InvoiceTable() {
  const [rows, setRows] = useState(INVOICES);
  const [by, setBy] = useState('no');
  const [dir, setDir] = useState('asc');
  const [sel, setSel] = useState([]);
  const [page, setPage] = useState(0);
  const [per, setPer] = useState(5);
  const sorted = useMemo(() => [...rows].sort((a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0) * (dir === 'asc' ? 1 : -1)), [rows, by, dir]);
  const shown = sorted.slice(page * per, page * per + per);
  const sort = (k) => () => { setDir(by === k && dir === 'asc' ? 'desc' : 'asc'); setBy(k); };
  const flip = (no) => setSel(sel.includes(no) ? sel.filter((x) => x !== no) : [...sel, no]);
  return (
    <Box sx={{ p: 3 }}>
      <Paper>
        <Toolbar sx={sel.length ? { bgcolor: '#e3f2fd' } : {}}>
          <Typography sx={{ flex: 1 }} variant="h6" component="div">{sel.length ? `${sel.length} selected` : 'Invoices'}</Typography>
          {sel.length > 0 && (
            <Tooltip title="Delete">
              <IconButton onClick={() => { setRows(rows.filter((r) => !sel.includes(r.no))); setSel([]); setPage(0); }}><TrashIcon /></IconButton>
            </Tooltip>
          )}
        </Toolbar>
        <TableContainer>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell padding="checkbox">
                  <Checkbox indeterminate={sel.length > 0 && sel.length < rows.length} checked={rows.length > 0 && sel.length === rows.length}
                    onChange={(e) => setSel(e.target.checked ? rows.map((r) => r.no) : [])} slotProps={{ input: { 'aria-label': 'Select all invoices' } }} />
                </TableCell>
                {[['no', 'Invoice'], ['customer', 'Customer'], ['due', 'Due'], ['amount', 'Amount']].map(([k, label]) => (
                  <TableCell key={k} align={k === 'amount' ? 'right' : 'left'} sortDirection={by === k ? dir : false}>
                    <TableSortLabel active={by === k} direction={by === k ? dir : 'asc'} onClick={sort(k)}>{label}</TableSortLabel>
                  </TableCell>
                ))}
                <TableCell>Status</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {shown.map((r) => (
                <TableRow key={r.no} hover selected={sel.includes(r.no)}>
                  <TableCell padding="checkbox">
                    <Checkbox checked={sel.includes(r.no)} onChange={() => flip(r.no)} slotProps={{ input: { 'aria-labelledby': 'row-' + r.no } }} />
                  </TableCell>
                  <TableCell id={'row-' + r.no} component="th" scope="row">{r.no}</TableCell>
                  <TableCell>{r.customer}</TableCell>
                  <TableCell>{r.due}</TableCell>
                  <TableCell align="right">{euro(r.amount)}</TableCell>
                  <TableCell><Chip size="small" label={r.status} color={COLOR[r.status]} /></TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
        <TablePagination component="div" rowsPerPageOptions={[5, 10]} count={rows.length} rowsPerPage={per} page={page}
          onPageChange={(e, p) => setPage(p)} onRowsPerPageChange={(e) => { setPer(+e.target.value); setPage(0); }} />
      </Paper>
    </Box>
  );
}

function AccountMenu() {
  const [bell, setBell] = useState(null);
  const [acc, setAcc] = useState(null);
  const [unread, setUnread] = useState(3);
  const [page, setPage] = useState('Vehicles in use');
  const go = (name) => () => { setPage(name); setAcc(null); };
  return (
    <>
      <AppBar position="static">
        <Toolbar>
          <Typography variant="h6" component="div" sx={{ flex: 1 }}>Fleetdesk</Typography>
          <IconButton color="inherit" aria-label="Mail"><Badge badgeContent={132} max={99} color="error"><MailIcon /></Badge></IconButton>
          <IconButton color="inherit" aria-label="Notifications" onClick={(e) => setBell(e.currentTarget)}>
            <Badge badgeContent={unread} color="error"><BellIcon /></Badge>
          </IconButton>
          <IconButton aria-label="Account" aria-haspopup="true" aria-expanded={acc ? 'true' : undefined} onClick={(e) => setAcc(e.currentTarget)}>
            <Avatar sx={{ width: 32, height: 32 }}>JP</Avatar>
          </IconButton>
        </Toolbar>
      </AppBar>
      <Menu anchorEl={bell} open={!!bell} onClose={() => setBell(null)}>
        <MenuItem onClick={() => setBell(null)}>Van 12: oil change due</MenuItem>
        <MenuItem onClick={() => setBell(null)}>Van 7 returned to depot</MenuItem>
        <MenuItem onClick={() => setBell(null)}>Fuel card 4411 blocked</MenuItem>
        <Divider />
        <MenuItem onClick={() => { setUnread(0); setBell(null); }}>Mark all as read</MenuItem>
      </Menu>
      <Menu anchorEl={acc} open={!!acc} onClose={() => setAcc(null)} keepMounted>
        <MenuItem onClick={go('Profile')}>Profile</MenuItem>
        <MenuItem onClick={go('My vehicles')}>My vehicles</MenuItem>
        <MenuItem disabled onClick={go('Billing')}>Billing</MenuItem>
        <Divider />
        <MenuItem onClick={go('Signed out')}>Log out</MenuItem>
      </Menu>
      <Container sx={{ py: 3 }}>
        <Typography variant="h4" component="h1">{page}</Typography>
        <Typography color="text.secondary">{unread ? `${unread} unread alerts` : 'All caught up'}</Typography>
        {page === 'Vehicles in use' && (
          <List>
            <ListItem><ListItemText primary="Van 3" secondary="Driver: Joana Prado, back at 16:30" /></ListItem>
            <ListItem><ListItemText primary="Van 9" secondary="Driver: Piotr Zych, back at 18:00" /></ListItem>
          </List>
        )}
      </Container>
    </>
  );
}

function BookingDates() {
  const [from, setFrom] = useState(dayjs('2025-06-12'));
  const [to, setTo] = useState(null);
  const [result, setResult] = useState('');
  const valid = from?.isValid() && to?.isValid();
  const nights = valid ? to.startOf('day').diff(from.startOf('day'), 'day') : 0;
  const early = valid && nights < 1;
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs}>
      <Container maxWidth="md" sx={{ py: 4 }}>
        <Typography variant="h5" component="h1" gutterBottom>Hotel Miramar, Setúbal</Typography>
        <Stack direction="row" spacing={2} sx={{ my: 2 }}>
          <DesktopDatePicker label="Check-in" value={from} onChange={setFrom} minDate={dayjs('2025-06-01')} maxDate={dayjs('2025-09-30')} referenceDate={dayjs('2025-06-01')} />
          <DesktopDatePicker label="Check-out" value={to} onChange={setTo} minDate={dayjs('2025-06-01')} maxDate={dayjs('2025-09-30')} referenceDate={dayjs('2025-06-01')}
            slotProps={{ textField: { error: early || undefined, helperText: early ? 'Check-out must be after check-in' : 'From $96 per night' } }} />
        </Stack>
        <Typography sx={{ mb: 2 }}>{valid && !early ? `${nights} ${nights === 1 ? 'night' : 'nights'}, $${nights * 96} in total` : 'Choose both dates to see the price'}</Typography>
        <Button variant="contained" disabled={!valid || early} onClick={() => setResult(nights > 5 ? 'No rooms left for these dates' : '2 rooms available')}>Check availability</Button>
        {result && <Alert sx={{ mt: 2 }} severity={result.startsWith('No') ? 'warning' : 'info'}>{result}</Alert>}
      </Container>
    </LocalizationProvider>
  );
}

const MEMBERS = [['Aiko Tan', 'Student'], ['Ben Ferrer', 'Student'], ['Lena Ortiz', 'Student'], ['Omar Haddad', 'Teacher, owner'], ['Sara Lund', 'Assistant']];
function DeleteDialog() {
  const [list, setList] = useState(MEMBERS);
  const [who, setWho] = useState('Lena Ortiz');
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState(null);
  const confirm = () => {
    setBusy(true);
    setTimeout(() => {
      setBusy(false);
      setOpen(false);
      if (who === 'Omar Haddad') setNote({ kind: 'error', text: 'Omar Haddad owns this class and cannot be removed' });
      else { setList((l) => l.filter(([n]) => n !== who)); setNote({ kind: 'success', text: 'Member removed' }); }
    }, 900);
  };
  return (
    <Container maxWidth="sm" sx={{ py: 3 }}>
      <Typography variant="h5" component="h1">Biology 9b</Typography>
      <Typography color="text.secondary">{list.length} members</Typography>
      {note && <Alert severity={note.kind} sx={{ my: 1 }}>{note.text}</Alert>}
      <List>
        {list.map(([n, role]) => (
          <ListItem key={n} divider secondaryAction={<Button size="small" onClick={() => { setWho(n); setNote(null); setOpen(true); }}>Remove</Button>}>
            <ListItemAvatar><Avatar>{n[0]}</Avatar></ListItemAvatar>
            <ListItemText primary={n} secondary={role} />
          </ListItem>
        ))}
      </List>
      <Dialog open={open} keepMounted onClose={() => !busy && setOpen(false)} aria-labelledby="rm-title">
        <DialogTitle id="rm-title">Remove {who}?</DialogTitle>
        <DialogContent><DialogContentText>They will lose access to 14 shared files.</DialogContentText></DialogContent>
        <DialogActions>
          <Button disabled={busy} onClick={() => setOpen(false)}>Cancel</Button>
          <Button color="error" disabled={busy} onClick={confirm}>{busy ? 'Removing…' : 'Remove'}</Button>
        </DialogActions>
      </Dialog>
    </Container>
  );
}

function ArticleEditor() {
  const [title, setTitle] = useState('Onboarding checklist');
  const [snack, setSnack] = useState(null);
  const [busy, setBusy] = useState(false);
  const publish = async () => {
    setBusy(true);
    let ok = false;
    try { ok = (await fetch('/api/publish', { method: 'POST', body: JSON.stringify({ title }) })).ok; } catch { ok = false; }
    setBusy(false);
    setSnack(ok ? { kind: 'success', text: 'Article published' } : { kind: 'error', text: 'Could not publish the article. Try again later.' });
  };
  return (
    <Container maxWidth="md" sx={{ py: 3 }}>
      <Stack direction="row" spacing={2} alignItems="center" sx={{ mb: 2 }}>
        <Typography variant="h5" component="h1">Edit article</Typography>
        <Chip label="Draft" size="small" />
        <Typography variant="body2" color="text.secondary">Published versions: 4</Typography>
      </Stack>
      <Stack spacing={2}>
        <TextField label="Title" value={title} onChange={(e) => setTitle(e.target.value)} slotProps={{ htmlInput: { maxLength: 60 } }} helperText={`${title.length} of 60 characters`} />
        <TextField label="Body" multiline rows={5} defaultValue={'Welcome to the team.\nPlease finish these points in your first week.'} />
        <Stack direction="row" spacing={1}>
          <Button variant="outlined" disabled={!title} onClick={() => setSnack({ text: 'Draft saved' })}>Save draft</Button>
          <Button variant="contained" disabled={busy || !title} startIcon={busy ? <CircularProgress size={16} /> : null} onClick={publish}>Publish</Button>
        </Stack>
      </Stack>
      <Snackbar open={!!snack && !snack.kind && !snack.closed} autoHideDuration={6000} disableWindowBlurListener onClose={(e, why) => why !== 'clickaway' && setSnack((s) => s && { ...s, closed: true })}
        message={snack && !snack.kind ? snack.text : ''} action={<Button size="small" onClick={() => setSnack({ text: 'Restored the last version' })}>Undo</Button>} />
      <Snackbar open={!!snack && !!snack.kind && !snack.closed} anchorOrigin={{ vertical: 'top', horizontal: 'center' }}>
        <Alert severity={snack && snack.kind ? snack.kind : 'info'} variant="filled" onClose={() => setSnack((s) => ({ ...s, closed: true }))}>{snack && snack.kind ? snack.text : ''}</Alert>
      </Snackbar>
    </Container>
  );
}

const PEOPLE = ['Ada Moreno', 'Carl Nyberg', 'Dina Popescu', 'Kofi Baah', 'Mei Sato', 'Tom Weir', 'Yusuf Kaya'];
function AssignTicket() {
  const [who, setWho] = useState(['Ada Moreno']);
  const [site, setSite] = useState(null);
  const [said, setSaid] = useState('');
  return (
    <Container maxWidth="sm" sx={{ py: 3 }}>
      <Typography variant="h5" component="h1">Ticket #3318: Lift stuck on floor 4</Typography>
      <Typography color="text.secondary" sx={{ mb: 2 }}>Reported by Mei Sato on 2 May</Typography>
      <Stack spacing={2}>
        <Autocomplete multiple options={PEOPLE} value={who} onChange={(e, x) => setWho(x)} getOptionDisabled={(o) => o === 'Tom Weir'}
          noOptionsText="No people found" renderInput={(p) => <TextField {...p} label="Assignees" placeholder="Add a colleague" />} />
        <Autocomplete options={['Hamburg', 'Porto', 'Porto Alegre', 'Riga']} value={site} onChange={(e, x) => setSite(x)}
          renderInput={(p) => <TextField {...p} label="Site" helperText="Where the technician has to go" />} />
        <Button variant="contained" onClick={() => setSaid(!who.length ? '' : who.length > 2 ? 'A ticket can have two assignees at most' : `Assigned to ${who.join(' and ')}${site ? ' in ' + site : ''}`)}>Assign</Button>
        {said && <Alert severity={said.startsWith('A ticket') ? 'error' : 'success'}>{said}</Alert>}
      </Stack>
    </Container>
  );
}

function SettingsTabs() {
  const start = { dark: false, digest: true, sound: true, desk: false };
  const [tab, setTab] = useState(0);
  const [saved, setSaved] = useState(start);
  const [v, setV] = useState(start);
  const n = Object.keys(v).filter((k) => v[k] !== saved[k]).length;
  const sw = (k, label, Control = Switch) => <FormControlLabel control={<Control checked={v[k]} onChange={(e) => setV({ ...v, [k]: e.target.checked })} />} label={label} />;
  return (
    <Container maxWidth="md" sx={{ py: 3 }}>
      <Typography variant="h5" component="h1">Workspace settings</Typography>
      <Tabs value={tab} onChange={(e, t) => setTab(t)} sx={{ borderBottom: 1, borderColor: 'divider', mb: 2 }}>
        <Tab label="General" /><Tab label="Notifications" /><Tab label="Security" /><Tab label="Beta features" disabled />
      </Tabs>
      <div role="tabpanel" hidden={tab !== 0}><Stack>{sw('dark', 'Dark mode')}{sw('digest', 'Weekly digest')}</Stack></div>
      <div role="tabpanel" hidden={tab !== 1}><Stack>{sw('sound', 'Play a sound', Checkbox)}{sw('desk', 'Desktop notifications', Checkbox)}</Stack></div>
      <div role="tabpanel" hidden={tab !== 2}>
        <FormControlLabel disabled control={<Switch />} label="Two-factor authentication" />
        <Typography variant="body2" color="text.secondary">Managed by your company</Typography>
      </div>
      <Stack direction="row" spacing={2} alignItems="center" sx={{ mt: 3 }}>
        <Button variant="contained" disabled={!n} onClick={() => setSaved(v)}>Save changes</Button>
        <Typography>{n ? `${n} unsaved ${n === 1 ? 'change' : 'changes'}` : 'No unsaved changes'}</Typography>
      </Stack>
    </Container>
  );
}

const SHIP = { standard: ['Standard', 4.9], express: ['Express', 12.9], pickup: ['Store pickup', 0] };
function CheckoutStepper() {
  const [step, setStep] = useState(0);
  const [street, setStreet] = useState('');
  const [city, setCity] = useState('');
  const [ship, setShip] = useState('standard');
  const [tried, setTried] = useState(false);
  const bad = tried && (!street || !city);
  const next = () => {
    if (step === 0) { setTried(true); if (!street || !city) return; }
    setStep(step + 1);
  };
  return (
    <Container maxWidth="md" sx={{ py: 3 }}>
      <Typography variant="h5" component="h1" sx={{ mb: 2 }}>Checkout</Typography>
      <Stepper activeStep={step} sx={{ mb: 3 }}>
        <Step><StepLabel error={bad}>Address</StepLabel></Step>
        <Step><StepLabel>Shipping</StepLabel></Step>
        <Step><StepLabel optional={<Typography variant="caption">Optional</Typography>}>Gift card</StepLabel></Step>
        <Step><StepLabel>Review</StepLabel></Step>
      </Stepper>
      {step === 0 && (
        <Stack spacing={2}>
          <TextField label="Street" value={street} onChange={(e) => setStreet(e.target.value)} error={bad && !street} helperText={bad && !street ? 'Street is required' : ' '} />
          <TextField label="City" value={city} onChange={(e) => setCity(e.target.value)} error={bad && !city} helperText={bad && !city ? 'City is required' : ' '} />
        </Stack>
      )}
      {step === 1 && (
        <FormControl>
          <FormLabel id="ship">Shipping method</FormLabel>
          <RadioGroup aria-labelledby="ship" value={ship} onChange={(e) => setShip(e.target.value)}>
            <FormControlLabel value="standard" control={<Radio />} label="Standard (€4.90)" />
            <FormControlLabel value="express" control={<Radio />} label="Express (€12.90)" />
            <FormControlLabel value="pickup" disabled control={<Radio />} label="Store pickup (not available)" />
          </RadioGroup>
        </FormControl>
      )}
      {step === 2 && <TextField label="Gift card code" />}
      {step === 3 && (
        <Paper variant="outlined" sx={{ p: 2 }}>
          <Typography>Ship to: {street}, {city}</Typography>
          <Typography>Items: €60.00</Typography>
          <Typography>Shipping: €{SHIP[ship][1].toFixed(2)}</Typography>
          <Typography fontWeight="bold">Total: €{(60 + SHIP[ship][1]).toFixed(2)}</Typography>
        </Paper>
      )}
      {step === 4 && <Typography variant="h6">Thank you for your order</Typography>}
      {step < 4 && (
        <Stack direction="row" spacing={1} sx={{ mt: 3 }}>
          <Button disabled={step === 0} onClick={() => setStep(step - 1)}>Back</Button>
          <Box sx={{ flex: 1 }} />
          {step === 2 && <Button onClick={next}>Skip</Button>}
          <Button variant="contained" onClick={next}>{step === 3 ? 'Place order' : 'Next'}</Button>
        </Stack>
      )}
    </Container>
  );
}

function ProductReview() {
  const [ready, setReady] = useState(false);
  const [size, setSize] = useState('M');
  const [mine, setMine] = useState(null);
  const [days, setDays] = useState(5);
  useEffect(() => { const t = setTimeout(() => setReady(true), 1800); return () => clearTimeout(t); }, []);
  return (
    <Container maxWidth="sm" sx={{ py: 3 }}>
      <Typography variant="h5" component="h1">Trail jacket "Skarn"</Typography>
      <Stack direction="row" spacing={1} alignItems="center"><Rating value={3.5} precision={0.5} readOnly /><Typography>128 reviews</Typography></Stack>
      {ready ? <Typography>In stock: 7 pieces</Typography> : <Skeleton><Typography>Currently sold out</Typography></Skeleton>}
      {ready ? <Typography variant="h6" component="p">$149.00</Typography> : <Skeleton variant="text" width={120} />}
      <Typography sx={{ mt: 2 }} id="size">Size</Typography>
      <ToggleButtonGroup exclusive value={size} onChange={(e, s) => s && setSize(s)} aria-labelledby="size">
        <ToggleButton value="S">S</ToggleButton><ToggleButton value="M">M</ToggleButton><ToggleButton value="L" disabled>L</ToggleButton>
      </ToggleButtonGroup>
      <Tooltip title="Add to wish list"><IconButton><HeartIcon /></IconButton></Tooltip>
      <Typography sx={{ mt: 2 }}>Deliver within {days} days</Typography>
      <Slider aria-label="Delivery days" min={1} max={14} value={days} onChange={(e, d) => setDays(d)} valueLabelDisplay="auto" valueLabelFormat={(d) => d + ' d'} />
      <Typography component="legend">Your rating</Typography>
      <Rating name="mine" value={mine} onChange={(e, m) => setMine(m)} />
      <Typography>{mine ? `You gave ${mine} of 5` : 'Not rated yet'}</Typography>
    </Container>
  );
}

const FAQ = [
  ['seat', 'How do I change my seat?', 'Open the booking and choose Change seat. It is free until 24 hours before departure.'],
  ['refund', 'When do I get a refund?', 'Refunds reach your account within 14 days.'],
  ['bike', 'Can I take my bicycle?', 'Yes, with a bicycle ticket for $9. Tandems are not allowed.'],
  ['group', 'Are there group discounts?', 'Groups of ten or more pay 30% less.'],
];
function FaqAccordion() {
  const [open, setOpen] = useState('seat');
  return (
    <Container maxWidth="md" sx={{ py: 3 }}>
      <Typography variant="h5" component="h1" sx={{ mb: 2 }}>RailEast help center</Typography>
      {FAQ.map(([k, q, a]) => (
        <Accordion key={k} disabled={k === 'group'} expanded={open === k} onChange={(e, x) => setOpen(x ? k : '')}>
          <AccordionSummary expandIcon={<MoreIcon />} aria-controls={k + '-c'} id={k + '-h'}><Typography component="span">{q}</Typography></AccordionSummary>
          <AccordionDetails>{a}</AccordionDetails>
        </Accordion>
      ))}
      <Typography sx={{ mt: 2 }} variant="body2">Still stuck? Call 0800 555 0142, Monday to Friday.</Typography>
    </Container>
  );
}

const screens = {
  'signup-form': SignupForm, 'invoice-table': InvoiceTable, 'account-menu': AccountMenu, 'booking-dates': BookingDates,
  'delete-dialog': DeleteDialog, 'article-editor': ArticleEditor, 'assign-ticket': AssignTicket, 'settings-tabs': SettingsTabs,
  'checkout-stepper': CheckoutStepper, 'product-review': ProductReview, 'faq-accordion': FaqAccordion,
};
const Screen = screens[document.body.dataset.screen];
createRoot(document.getElementById('root')).render(<><CssBaseline /><Screen /></>);
