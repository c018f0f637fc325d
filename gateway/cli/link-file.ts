/** A page in the data folder that sends a browser on to a sign-in link, readable by its owner only. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @returns path of the page. @param link of this gateway: an origin, a path and base64url, with nothing that HTML
 *   escapes
 */
export function writeLinkFile(dataDir: string, link: string): string {
  const file = join(dataDir, 'open-dashboard.html');
  // Removed first: an overwritten file of an earlier start would keep its mode.
  removeLinkFile(file);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}">
<title>Tandem</title>
</head>
<body><a href="${link}">Open Tandem</a></body>
</html>
`;
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' });
  return file;
}

export function removeLinkFile(file: string): void {
  rmSync(file, { force: true });
}
