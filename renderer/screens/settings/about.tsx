/** The gateway's version, and the licences of the dashboard's components. */
import { Fragment } from 'react';
import { useGet } from '../../api/queries.ts';
import { Facts } from '../../components/facts.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';

/** Breaks between its parts if needed, never within a name. */
const ORIGIN_PARTS = location.origin.split(/(?<=\/\/)|(?=:\d)/);

export function About() {
  const version = useGet('GET /version', {}, { shared: true });
  const { data } = version;
  const origin = ORIGIN_PARTS.map((part) => (
    <Fragment key={part}>
      <wbr />
      {part}
    </Fragment>
  ));
  return (
    <Panel title="About">
      <Facts
        of={{
          Gateway: data?.version ?? 'not known',
          API: data?.apiVersion ?? 'not known',
          'Address of this page': <code>{origin}</code>,
        }}
      />
      <p className={layout['quiet']}>
        Candle charts: TradingView Lightweight Charts™, copyright © 2025 TradingView, Inc.,
        www.tradingview.com, under the Apache License 2.0. Font: Inter, under the SIL Open Font License.
      </p>
    </Panel>
  );
}
