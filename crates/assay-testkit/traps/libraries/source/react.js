// React, shared by the bundles of Material UI and Ant Design.
import * as React from 'react';
import * as ReactDOM from 'react-dom';
import * as client from 'react-dom/client';
import * as jsx from 'react/jsx-runtime';
import dayjs from 'dayjs';
window.ReactParts = { react: React, 'react-dom': ReactDOM, 'react-dom/client': client, 'react/jsx-runtime': jsx, dayjs };
