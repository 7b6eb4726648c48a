import { useEffect, useState } from 'react';

export default function Reports() {
  const [d, setD] = useState(null);
  useEffect(() => { fetch('/json/600/invoices').then(r => r.json()).then(setD); }, []);
  return d ? <><h1>Reports</h1><p>{d.overdue} invoices are overdue</p></> : <p>Loading…</p>;
}
