// Who looks at the console, and what they may do.

const ROLES = ['read', 'run', 'admin'];
let caller = { name: '', role: 'read', suite: 'assay', version: '', is_signed_in: false };

export function setCaller(found) {
  caller = found;
}

export function theCaller() {
  return caller;
}

export function may(role) {
  return ROLES.indexOf(caller.role) >= ROLES.indexOf(role);
}

/** For buttons: why it cannot be pressed, or nothing. */
export function whyNot(role) {
  return may(role) ? null : `This needs the role “${role}”. You have “${caller.role}”.`;
}
