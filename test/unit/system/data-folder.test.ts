import { chmod, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureDataFolder } from '../../../gateway/system/data-folder.ts';
import { canBeOthers, STRANGER } from '../../support/other-user.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.ts';

describe('data folder', () => {
  afterEach(removeTemporaryFolders);

  it('is made for its owner alone', async () => {
    const path = join(await temporaryFolder(), 'deep', 'tandem');
    expect(ensureDataFolder(path)).to.deep.equal({ ok: true, value: { created: true, warning: null } });
    expect((await stat(path)).mode & 0o777).to.equal(0o700);
    expect(ensureDataFolder(path)).to.deep.equal({ ok: true, value: { created: false, warning: null } });
  });

  it('warns of one that is open to others and leaves it as it is', async () => {
    const path = await temporaryFolder();
    await chmod(path, 0o755);
    const answer = ensureDataFolder(path);
    expect(answer.ok && answer.value.warning).to.contain('chmod 700');
    expect((await stat(path)).mode & 0o777).to.equal(0o755);
  });

  it('refuses one of another user, whatever may be read and written there', async function () {
    if (!canBeOthers()) this.skip();
    const path = await temporaryFolder();
    await chmod(path, 0o777);
    await chown(path, STRANGER, STRANGER);
    const answer = ensureDataFolder(path);
    expect(!answer.ok && answer.error)
      .to.contain('belongs to another user')
      .and.to.contain('--data-dir');
  });

  it('refuses a file', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    expect(ensureDataFolder(path).ok).to.equal(false);
    expect(ensureDataFolder(join(path, 'inside')).ok).to.equal(false);
  });
});
