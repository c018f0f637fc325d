/** Keyboard shortcuts of the dashboard. */
import { PLACES } from '../../app/places.ts';
import { Panel } from '../../components/page.tsx';
import { KeyList } from '../../features/key-list/key-list.tsx';

export function Shortcuts() {
  return (
    <Panel title="Keyboard">
      <KeyList screens={Object.values(PLACES)} />
    </Panel>
  );
}
