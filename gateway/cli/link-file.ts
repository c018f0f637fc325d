/**
 * A page that sends a browser on to a link which others must not read (a sign-in, a question with a secret state),
 * readable by its owner only.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns path of the page. @param link of this gateway, whose parameters are encoded */
export function writeLinkFile(folder: string, link: string, name = 'open-dashboard.html'): string {
  const file = join(folder, name);
  const address = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  // Removed first: an overwritten file of an earlier start would keep its mode.
  removeLinkFile(file);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Tandem</title>
</head>
<body><a href="${address}">Open Tandem</a></body>
</html>
`;
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' });
  return file;
}

export function removeLinkFile(file: string): void {
  rmSync(file, { force: true });
}
