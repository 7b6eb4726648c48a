// React with Material UI, react-select and Ant Design: routes in chunks, lists of three libraries, messages of two.
import { createRoot } from 'react-dom/client';
import { Suspense, lazy } from 'react';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import CircularProgress from '@mui/material/CircularProgress';

const Desk = lazy(() => import('./desk.jsx'));
const Reports = lazy(() => import('./reports.jsx'));
const App = () => <BrowserRouter>
  <header><nav><Link to="/">Desk</Link> <Link to="/reports">Reports</Link></nav></header>
  <main><Suspense fallback={<CircularProgress />}><Routes><Route path="/" element={<Desk />} /><Route path="/reports" element={<Reports />} /></Routes></Suspense></main>
</BrowserRouter>;
createRoot(document.getElementById('root')).render(<App />);
