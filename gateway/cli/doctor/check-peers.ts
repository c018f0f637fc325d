/** Check: the gateway can refuse connections of other users of this computer. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { openPeerTable, type PeerOwner } from '../../system/peer-table.ts';
import { type Finding, findingsOf } from './finding.ts';

const { fine, warn } = findingsOf('other users');
const NOT_REFUSED = 'their connections are not refused; keys and passwords alone keep them out';

export async function checkPeers(peerCheck: 'auto' | 'off'): Promise<Finding> {
  if (peerCheck === 'off') return warn(`${NOT_REFUSED}: peerCheck is off`, 'tandem start --peer-check auto');
  if (process.platform !== 'linux')
    return fine(`this system does not say whose a connection is: ${NOT_REFUSED}`);
  const owner = await ownerOfOwnConnection();
  if (owner?.kind === 'user' && owner.uid === process.getuid?.())
    return fine('their connections are refused');
  return warn(`/proc/net/tcp does not say whose a connection is: ${NOT_REFUSED}`, null);
}

/** null: the system has no table of connections and owners. */
async function ownerOfOwnConnection(): Promise<PeerOwner | null> {
  const table = openPeerTable();
  if (table === null) return null;
  const server = createServer().listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const address = server.address();
    const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
    const [accepted]: Socket[] = await once(server, 'connection');
    const owner = accepted === undefined ? null : await table.ownerOf(accepted);
    client.destroy();
    accepted?.destroy();
    return owner;
  } finally {
    server.close();
    table.close();
  }
}
