// A text that is being written, and what is known of the file that it becomes.

export class Draft {
  constructor(file) {
    this.loaded(file);
  }

  loaded({ text, version }) {
    this.text = text;
    this.known = text;
    this.version = version;
  }

  savedAs(text, version) {
    this.known = text;
    this.version = version;
  }

  get isNew() {
    return this.version === undefined;
  }

  /** Something would be lost. */
  get isTouched() {
    return this.text !== this.known;
  }

  get isChanged() {
    return this.isNew || this.isTouched;
  }
}
