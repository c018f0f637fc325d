/** Files of a paper venue that are damaged or do not belong together. The message says which and how, in one clause. */
export class PaperFilesError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PaperFilesError';
  }
}
