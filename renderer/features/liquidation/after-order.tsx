/** The account after an order in one line, in a file that comes with the first plan. */
import layout from '../../components/layout.module.css';
import { type After, MoveAfter, RatioAfter } from './liquidation.tsx';

export default function AfterOrder({ after }: { readonly after: After | undefined }) {
  return (
    <>
      <MoveAfter after={after} />{' '}
      <small className={layout['quiet']}>
        margin ratio after <RatioAfter after={after} />
      </small>
    </>
  );
}
