"use strict";
module.exports = { public: false, host: "127.0.0.1", port: 18503, reverseProxy: false, maxHistory: 1000, theme: "default", prefetch: false, messageStorage: [], leaveMessage: "bye",
  fileUpload: { enable: false }, identd: { enable: false }, defaults: { name: "Harbour", host: "127.0.0.1", port: 18513, tls: false, rejectUnauthorized: false, nick: "petra", username: "petra", realname: "Petra Holm", join: "#harbour" } };
