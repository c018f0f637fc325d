import { expect } from 'chai';
import type { Vault } from '../../../gateway/engine/ports/vault.ts';
import { createMemoryVault } from '../../../gateway/vault/memory-vault.ts';
import { openVault, type VaultOptions } from '../../../gateway/vault/open-vault.ts';
import { VaultError } from '../../../gateway/vault/vault-error.ts';
import { recordingLogger } from '../../support/recording-logger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const keychainVault = (): Vault => ({ ...createMemoryVault(), kind: 'keychain' });
const working = async () => keychainVault();
const broken = async () => {
  throw new VaultError('keychain_unusable', 'no secret service answers');
};

describe('openVault', () => {
  async function open(options: Partial<VaultOptions>) {
    const logger = recordingLogger();
    const dataDir = await temporaryFolder();
    const vault = await openVault({ kind: 'auto', dataDir, logger, openKeychain: working, ...options });
    return { vault, logger, dataDir };
  }

  it('auto takes the keychain where it works', async () => {
    const { vault, logger } = await open({});
    expect([vault.kind, vault.warning, vault.liveCredentialsAllowed]).to.deep.equal(['keychain', null, true]);
    expect(logger.lines).to.deep.equal([]);
    await vault.set('a', 'b');
    expect(await vault.get('a')).to.equal('b');
  });

  it('auto falls back to the file, says why, and refuses live credentials there', async () => {
    const { vault, logger } = await open({ openKeychain: broken });
    expect(vault.kind).to.equal('file');
    expect(vault.warning).to.contain('no secret service answers').and.to.contain('TANDEM_PASSPHRASE');
    expect(vault.liveCredentialsAllowed).to.equal(false);
    expect(logger.lines.map((line) => line.level)).to.deep.equal(['warn']);
  });

  it('keychain asked for and not usable is an error with the cause', async () => {
    const error = await open({ kind: 'keychain', openKeychain: broken }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(VaultError);
    expect(String(error)).to.contain('no secret service answers');
  });

  it('a file vault takes live credentials with a passphrase or by permission', async () => {
    const sealed = await open({ kind: 'file', passphrase: 'a long passphrase' });
    expect([sealed.vault.liveCredentialsAllowed, sealed.vault.warning]).to.deep.equal([true, null]);
    expect(sealed.logger.lines).to.deep.equal([]);
    const allowed = await open({ kind: 'file', allowFileVault: true });
    expect(allowed.vault.liveCredentialsAllowed).to.equal(true);
    expect(allowed.vault.warning).to.contain('key lies beside it');
    expect((await open({ kind: 'file' })).vault.liveCredentialsAllowed).to.equal(false);
  });

  it('auto with a keychain tells of secrets left in a file', async () => {
    const { vault, dataDir } = await open({ kind: 'file' });
    await vault.set('venue:1', 'x');
    const later = await openVault({
      kind: 'auto',
      dataDir,
      logger: recordingLogger(),
      openKeychain: working,
    });
    expect(later.kind).to.equal('keychain');
    expect(later.warning).to.contain('1 from an earlier start');
  });

  it('memory forgets', async () => {
    const { vault } = await open({ kind: 'memory' });
    await vault.set('a', 'b');
    expect([await vault.get('a'), await vault.delete('a'), await vault.get('a')]).to.deep.equal([
      'b',
      true,
      null,
    ]);
    expect((await open({ kind: 'memory' })).vault.kind).to.equal('memory');
  });
});
