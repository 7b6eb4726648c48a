// Screens with Ant Design. A page names its screen in <body data-screen="…">.
import React, { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import dayjs from 'dayjs';
import {
  Alert, Badge, Button, Checkbox, Collapse, DatePicker, Dropdown, Empty, Form, Popconfirm, Progress, Radio,
  Select, Space, Spin, Switch, Table, Tag, Tree, message,
} from 'antd';
import Input from 'antd/es/input/Input';
import Search from 'antd/es/input/Search';

const Title = ({ children, style }) => <h3 style={{ fontSize: 24, margin: '0 0 16px', ...style }}>{children}</h3>;
const Text = ({ type, strong, children }) => <span style={{ color: type ? '#666' : undefined, fontWeight: strong ? 600 : undefined }}>{children}</span>;
const Paragraph = ({ style, children }) => <p style={style}>{children}</p>;
const Row = ({ title, sub, children }) => (
  <div className="row" style={{ display: 'flex', gap: 12, alignItems: 'center', padding: '12px 0', borderBottom: '1px solid #f0f0f0' }}>
    <div style={{ flex: 1 }}><div>{title}</div>{sub && <div style={{ color: '#666' }}>{sub}</div>}</div>{children}
  </div>
);
const Page = ({ width = 960, children }) => <div style={{ maxWidth: width, margin: '0 auto', padding: 24 }}>{children}</div>;

function EmployeeForm() {
  const [form] = Form.useForm();
  const [staff, setStaff] = useState(['Dana Wirth', 'Ravi Menon']);
  const [msg, holder] = message.useMessage();
  const [busy, setBusy] = useState(false);
  const finish = (v) => {
    setBusy(true);
    setTimeout(() => {
      setBusy(false);
      if (v.email.toLowerCase() === 'dana@acme.example') { form.setFields([{ name: 'email', errors: ['This email is already in use'] }]); return; }
      setStaff((s) => [...s, v.name]);
      form.resetFields();
      msg.success({ content: 'Employee added', duration: 5 });
    }, 700);
  };
  return (
    <Page width={720}>
      {holder}
      <Title level={3}>New employee</Title>
      <Form form={form} layout="vertical" onFinish={finish} requiredMark initialValues={{ hours: 40, probation: false }} name="emp">
        <Form.Item name="name" label="Name" rules={[{ required: true, message: 'Please enter the name' }, { min: 4, warningOnly: true, message: 'This name looks short' }]}><Input /></Form.Item>
        <Form.Item name="email" label="Work email" rules={[{ required: true, message: 'Please enter the work email' }, { type: 'email', message: 'This is not an email address' }]}><Input placeholder="first@acme.example" /></Form.Item>
        <Form.Item name="dept" label="Department" rules={[{ required: true, message: 'Please choose a department' }]}>
          <Select placeholder="Choose one" options={[{ value: 'd10', label: 'Accounting' }, { value: 'd20', label: 'Logistics' }, { value: 'd30', label: 'Legal', disabled: true }]} />
        </Form.Item>
        <Form.Item name="hours" label="Hours per week" extra="Full time is 40 hours"><Input type="number" min={1} max={40} /></Form.Item>
        <Form.Item name="probation" label="Probation" valuePropName="checked"><Switch checkedChildren="Yes" unCheckedChildren="No" /></Form.Item>
        <Button type="primary" htmlType="submit" loading={busy}>Add employee</Button>
      </Form>
      <Paragraph style={{ marginTop: 16 }}>Staff ({staff.length}): {staff.join(', ')}</Paragraph>
    </Page>
  );
}

const ORDERS = [
  ['7001', 'Wanda Kirk', '2025-01-14', 84, 'Shipped', '14 Mill Lane, Leeds'], ['7002', 'Igor Belov', '2025-01-02', 1150, 'Pending', '3 Quay Street, Hull'],
  ['7003', 'Noor Amin', '2025-02-20', 9.5, 'Shipped', '80 Park Row, Bristol'], ['7004', 'Paul Renner', '2025-01-30', 220, 'Cancelled', '5 North Road, York'],
  ['7005', 'Tess Quinn', '2024-12-19', 75.25, 'Pending', '21 High Street, Bath'], ['7006', 'Luis Pardo', '2025-03-01', 640, 'Shipped', '9 Castle Hill, Lincoln'],
  ['7007', 'Hana Kim', '2025-02-11', 18, 'Refunded', '2 Elm Court, Derby'], ['7008', 'Emil Dorn', '2025-01-21', 310.4, 'Shipped', '44 Station Road, Ely'],
  ['7009', 'Rosa Vega', '2025-02-02', 55, 'Pending', '17 Abbey Lane, Ripon'],
].map(([key, name, date, total, status, address]) => ({ key, name, date, total, status, address }));
const usd = (n) => '$' + n.toLocaleString('en-US', { minimumFractionDigits: 2 });
function OrdersTable() {
  const [rows, setRows] = useState(ORDERS);
  const [sel, setSel] = useState([]);
  const ship = () => { setRows(rows.map((r) => (sel.includes(r.key) && r.status === 'Pending' ? { ...r, status: 'Shipped' } : r))); setSel([]); };
  const columns = [
    { title: 'Order', dataIndex: 'key', width: 100, render: (k) => '#' + k },
    { title: 'Customer', dataIndex: 'name' },
    { title: 'Date', dataIndex: 'date', sorter: (a, b) => a.date.localeCompare(b.date) },
    { title: 'Total', dataIndex: 'total', align: 'right', sorter: (a, b) => a.total - b.total, render: usd },
    { title: 'Status', dataIndex: 'status', filters: ['Shipped', 'Pending', 'Cancelled', 'Refunded'].map((s) => ({ text: s, value: s })), onFilter: (v, r) => r.status === v, render: (s) => <Tag>{s}</Tag> },
  ];
  return (
    <Page>
      <Title level={3}>Orders</Title>
      <Space style={{ marginBottom: 12 }}>
        <Button type="primary" disabled={!sel.length} onClick={ship}>Ship selected</Button>
        <Text>{sel.length ? `${sel.length} of ${rows.length} orders selected` : 'Nothing selected'}</Text>
      </Space>
      <Table size="small" rowKey="key" columns={columns} dataSource={rows} scroll={{ y: 400 }}
        rowSelection={{ selectedRowKeys: sel, onChange: setSel, getCheckboxProps: (r) => ({ disabled: r.status === 'Cancelled' }) }}
        expandable={{ expandedRowRender: (r) => <span>Deliver to {r.address}</span> }}
        pagination={{ pageSize: 4, showTotal: (t, [a, b]) => `${a}-${b} of ${t} orders` }} />
    </Page>
  );
}

const BOOKS = [['Dune', 'Frank Herbert', 'On loan'], ['Dune Messiah', 'Frank Herbert', 'Available'], ['The Dispossessed', 'Ursula K. Le Guin', 'Available'], ['Kindred', 'Octavia E. Butler', 'Available']];
function CatalogSearch() {
  const [busy, setBusy] = useState(false);
  const [hits, setHits] = useState(null);
  const [asked, setAsked] = useState('');
  const search = (q) => {
    if (!q.trim()) return;
    setBusy(true);
    setTimeout(() => { setBusy(false); setAsked(q); setHits(BOOKS.filter((b) => (b[0] + ' ' + b[1]).toLowerCase().includes(q.trim().toLowerCase()))); }, 1200);
  };
  return (
    <Page width={720}>
      <Title level={3}>Town library</Title>
      <Search placeholder="Title or author, e.g. Kindred" enterButton="Search" onSearch={search} aria-label="Search the catalogue" />
      <Spin spinning={busy}>
        <div style={{ minHeight: 220, paddingTop: 16 }}>
          {hits === null && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="Search the catalogue to begin" />}
          {hits && <Text type="secondary">{hits.length} {hits.length === 1 ? 'book' : 'books'} for “{asked}”</Text>}
          {hits && (
            hits.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="No books match" />
              : hits.map(([t, w, s]) => <Row key={t} title={t} sub={w}><Tag color={s === 'Available' ? 'green' : 'orange'}>{s}</Tag><Button size="small" disabled={s !== 'Available'}>Reserve</Button></Row>)
          )}
        </div>
      </Spin>
      <Text type="secondary">4 books in the catalogue</Text>
    </Page>
  );
}

function LeaveRequest() {
  const [first, setFirst] = useState(dayjs('2025-07-07'));
  const [last, setLast] = useState(dayjs('2025-07-11'));
  const [kind, setKind] = useState('vacation');
  const [sent, setSent] = useState(false);
  const weekend = (d) => d.day() === 0 || d.day() === 6;
  let days = 0;
  if (first && last) for (let d = first; !d.isAfter(last, 'day'); d = d.add(1, 'day')) if (!weekend(d)) days++;
  const wrong = !first || !last || last.isBefore(first, 'day');
  const left = 13 - days;
  return (
    <Page width={720}>
      <Title level={3}>Request leave</Title>
      <Form layout="vertical">
        <Space size="large">
          <Form.Item label="First day" htmlFor="first"><DatePicker id="first" value={first} onChange={setFirst} disabledDate={weekend} /></Form.Item>
          <Form.Item label="Last day" htmlFor="last" validateStatus={wrong ? 'error' : ''} help={wrong ? 'The last day must not be before the first day' : undefined}><DatePicker id="last" value={last} onChange={setLast} disabledDate={weekend} /></Form.Item>
        </Space>
        <Form.Item label="Kind of leave">
          <Radio.Group value={kind} onChange={(e) => setKind(e.target.value)}>
            <Radio.Button value="vacation">Vacation</Radio.Button><Radio.Button value="unpaid">Unpaid</Radio.Button><Radio.Button value="parental" disabled>Parental</Radio.Button>
          </Radio.Group>
        </Form.Item>
      </Form>
      <Row title="Working days">{wrong ? '–' : days}</Row>
      <Row title="Vacation left before">13 days</Row>
      <Row title="Vacation left after">{wrong ? '–' : kind === 'vacation' ? `${left} days` : '13 days'}</Row>
      <Button type="primary" disabled={wrong || sent} onClick={() => setSent(true)}>Send request</Button>
      {sent && <Alert style={{ marginTop: 12 }} type="info" showIcon message="Request sent" description="Waiting for approval by Ines Kraft" />}
    </Page>
  );
}

const TREE = [
  { key: 'fin', title: 'Finance', children: [{ key: 'bud', title: 'Budgets 2025' }, { key: 'pay', title: 'Payroll' }, { key: 'aud', title: 'Audit', disableCheckbox: true }] },
  { key: 'mkt', title: 'Marketing', children: [{ key: 'cam', title: 'Campaigns' }, { key: 'bra', title: 'Brand assets' }] },
  { key: 'leg', title: 'Legal' },
];
function FolderTree() {
  const [checked, setChecked] = useState(['bud']);
  const [open, setOpen] = useState(['fin']);
  const [saved, setSaved] = useState('');
  const leaves = checked.filter((k) => !['fin', 'mkt'].includes(k));
  return (
    <Page width={640}>
      <Title level={3}>Share folders with Nadia Roth</Title>
      <Tree checkable selectable={false} treeData={TREE} checkedKeys={checked} onCheck={(k) => setChecked(k)} expandedKeys={open} onExpand={setOpen} motion={false} />
      <Space style={{ marginTop: 16 }}>
        <Button type="primary" disabled={!leaves.length} onClick={() => setSaved(`${leaves.length} ${leaves.length === 1 ? 'folder' : 'folders'} shared`)}>Share</Button>
        <Button onClick={() => { setChecked([]); setSaved(''); }}>Clear all</Button>
        <Text type="secondary">5 subfolders in 3 departments</Text>
      </Space>
      {saved && <Alert style={{ marginTop: 12 }} type="success" message={saved} />}
    </Page>
  );
}

function ApiKeys() {
  const [keys, setKeys] = useState([{ id: 'web', name: 'Web shop', state: 'Active' }, { id: 'erp', name: 'ERP sync', state: 'Active' }, { id: 'old', name: 'Legacy import', state: 'Revoked' }]);
  const [msg, holder] = message.useMessage();
  const [rotated, setRotated] = useState('');
  const revoke = (id) => { setKeys(keys.map((k) => (k.id === id ? { ...k, state: 'Revoked' } : k))); msg.success({ content: 'Key revoked', duration: 3 }); };
  const active = keys.filter((k) => k.state === 'Active').length;
  return (
    <Page width={760}>
      {holder}
      <Space align="center"><Title level={3} style={{ margin: 0 }}>API keys</Title><Badge count={active} color="green" title={active + ' active'} showZero /></Space>
      {keys.map((k) => (
        <Row key={k.id} title={k.name} sub={'ak_' + k.id + '_••••'}>
          <Tag color={k.state === 'Active' ? 'green' : 'default'}>{k.state}</Tag>
          <Popconfirm title="Revoke this key?" description="Clients that use it stop working at once." okText="Yes, revoke" cancelText="Keep it" onConfirm={() => revoke(k.id)}>
            <Button size="small" danger disabled={k.state !== 'Active'}>Revoke</Button>
          </Popconfirm>
          <Dropdown trigger={['click']} menu={{ items: [{ key: 'rot', label: 'Rotate' }, { key: 'log', label: 'Show log' }, { key: 'del', label: 'Delete forever', disabled: true }], onClick: ({ key }) => key === 'rot' && setRotated(k.name) }}>
            <Button size="small">More</Button>
          </Dropdown>
        </Row>
      ))}
      {rotated && <Alert type="info" message={`New key for ${rotated} created`} />}
    </Page>
  );
}

function ImportSteps() {
  const [pct, setPct] = useState(12);
  const [run, setRun] = useState(1);
  const [state, setState] = useState('running');
  const timer = useRef(0);
  useEffect(() => {
    const end = run === 1 ? 64 : 100;
    let p = run === 1 ? 12 : 64;
    timer.current = setInterval(() => {
      p = Math.min(end, p + 13);
      setPct(p);
      if (p === end) { clearInterval(timer.current); setState(run === 1 ? 'stopped' : 'done'); }
    }, 350);
    return () => clearInterval(timer.current);
  }, [run]);
  return (
    <Page width={860}>
      <Title level={3}>Import contacts</Title>
      <p>Upload contacts.csv ✓ &nbsp;›&nbsp; Map columns ✓ 6 of 8 &nbsp;›&nbsp; <b>Import</b></p>
      {state === 'done' ? <Alert type="success" showIcon message="Import finished" description="999 contacts imported, 3 duplicates merged, 1 row skipped" /> : (
        <div style={{ marginTop: 24 }}>
          <Progress percent={pct} status={state === 'stopped' ? 'exception' : 'active'} format={(p) => p + '%'} />
          <Space size={48} style={{ margin: '16px 0' }}><div><Text type="secondary">Contacts imported</Text><div style={{ fontSize: 24 }}>{pct * 10}</div></div><div><Text type="secondary">Rows in file</Text><div style={{ fontSize: 24 }}>1,000</div></div></Space>
          {state === 'stopped' && <Alert type="error" showIcon message="The import stopped at row 641" description="The line has 7 columns, expected 8." action={<Button onClick={() => { setState('running'); setRun(2); }}>Skip row and continue</Button>} />}
        </div>
      )}
    </Page>
  );
}

function NotifyPrefs() {
  const [mail, setMail] = useState(true);
  const [sms, setSms] = useState(false);
  const [how, setHow] = useState('Daily');
  const [limit, setLimit] = useState(30);
  const [topics, setTopics] = useState(['Outages']);
  return (
    <Page width={720}>
      <Title level={3}>Alerts for meter 0047</Title>
      <Collapse accordion defaultActiveKey="chan" items={[
        { key: 'chan', label: 'Channels', children: (
          <Space direction="vertical">
            <Space><Switch checked={mail} onChange={setMail} checkedChildren="On" unCheckedChildren="Off" aria-label="Email alerts" /><span>Email alerts</span></Space>
            <Space><Switch checked={sms} onChange={setSms} checkedChildren="On" unCheckedChildren="Off" aria-label="SMS alerts" /><span>SMS alerts</span></Space>
            <Space><Switch disabled checkedChildren="On" unCheckedChildren="Off" aria-label="Phone calls" /><span>Phone calls</span><Text type="secondary">Only for business customers</Text></Space>
          </Space>) },
        { key: 'freq', label: 'Frequency', forceRender: true, children: <Radio.Group optionType="button" options={['Hourly', 'Daily', 'Weekly']} value={how} onChange={(e) => setHow(e.target.value)} /> },
        { key: 'top', label: 'Topics', forceRender: true, children: <Checkbox.Group options={['Outages', 'High usage', 'New tariffs']} value={topics} onChange={setTopics} /> },
        { key: 'lim', label: 'Threshold', forceRender: true, children: <Input type="number" aria-label="Threshold" min={0} max={100} value={limit} onChange={(e) => setLimit(e.target.value)} addonAfter="kWh" style={{ width: 160 }} /> },
      ]} />
      <Paragraph style={{ marginTop: 16 }}>Summary: {[mail && 'email', sms && 'SMS'].filter(Boolean).join(' and ') || 'no alerts'}, {how.toLowerCase()}, above {limit} kWh</Paragraph>
    </Page>
  );
}

const JOBS = [['Nurse', 'Berlin', 'Full time'], ['Nurse', 'Bern', 'Part time'], ['Cook', 'Berlin', 'Full time'], ['Driver', 'Graz', 'Part time'], ['Driver', 'Linz', 'Full time'], ['Cook', 'Graz', 'Part time']];
function JobFilters() {
  const [cities, setCities] = useState(['ber', 'grz', 'lnz']);
  const [time, setTime] = useState();
  const C = { ber: 'Berlin', brn: 'Bern', grz: 'Graz', lnz: 'Linz' };
  const hits = JOBS.filter(([, c, t]) => (!cities.length || cities.some((k) => C[k] === c)) && (!time || time === t));
  return (
    <Page>
      <Title level={3}>Jobs</Title>
      <Form layout="vertical">
        <Space size="large" align="start">
          <Form.Item label="Cities" htmlFor="cities"><Select id="cities" mode="multiple" style={{ width: 320 }} maxTagCount={2} value={cities} onChange={setCities} optionFilterProp="label" options={Object.entries(C).map(([value, label]) => ({ value, label }))} /></Form.Item>
          <Form.Item label="Working time" htmlFor="time"><Select id="time" style={{ width: 200 }} allowClear placeholder="Any" value={time} onChange={setTime} options={[{ value: 'Full time', label: 'Full time' }, { value: 'Part time', label: 'Part time' }, { value: 'x', label: 'Seasonal', disabled: true }]} /></Form.Item>
        </Space>
      </Form>
      <Text strong>{hits.length} {hits.length === 1 ? 'job' : 'jobs'} found</Text>
      {hits.map(([j, c, t]) => <Row key={j + c} title={`${j} in ${c}`}>{t}</Row>)}
      {!hits.length && <Empty description="No jobs for these filters" />}
    </Page>
  );
}

const MENU = [['Vegetable soup', 6.5], ['Fish tacos', 11], ['Rice bowl', 9.25]];
function LunchCart() {
  const [cart, setCart] = useState({});
  const rows = MENU.filter(([n]) => cart[n]).map(([n, p]) => ({ key: n, name: n, qty: cart[n], sum: cart[n] * p }));
  const count = rows.reduce((s, r) => s + r.qty, 0);
  const total = rows.reduce((s, r) => s + r.sum, 0);
  const add = (n, d) => setCart((c) => ({ ...c, [n]: (c[n] || 0) + d }));
  return (
    <Page width={760}>
      <Space size="large" align="center"><Title>Canteen order</Title><Badge count={count}><Button>Cart</Button></Badge></Space>
      {MENU.map(([n, p]) => <Row key={n} title={n} sub={usd(p)}><Button size="small" onClick={() => add(n, 1)}>Add</Button></Row>)}
      <Table style={{ marginTop: 16 }} size="small" rowKey="key" dataSource={rows} pagination={false} locale={{ emptyText: 'Your cart is empty' }}
        columns={[{ title: 'Dish', dataIndex: 'name' }, { title: 'Quantity', dataIndex: 'qty' }, { title: 'Sum', dataIndex: 'sum', align: 'right', render: usd }, { title: '', render: (_, r) => <Button type="link" size="small" onClick={() => add(r.name, -r.qty)}>Remove</Button> }]}
        summary={() => (count ? <Table.Summary.Row><Table.Summary.Cell index={0} colSpan={2}>Total</Table.Summary.Cell><Table.Summary.Cell index={2} align="right">{usd(total)}</Table.Summary.Cell><Table.Summary.Cell index={3} /></Table.Summary.Row> : null)} />
      <Button type="primary" style={{ marginTop: 12 }} disabled={!count}>Order for 12:30</Button>
    </Page>
  );
}

const screens = {
  'lunch-cart': LunchCart,
  'employee-form': EmployeeForm, 'orders-table': OrdersTable, 'catalog-search': CatalogSearch, 'leave-request': LeaveRequest, 'folder-tree': FolderTree,
  'api-keys': ApiKeys, 'import-steps': ImportSteps, 'notify-prefs': NotifyPrefs, 'job-filters': JobFilters,
};
const Screen = screens[document.body.dataset.screen];
createRoot(document.getElementById('root')).render(<Screen />);
