/** Text whose lines break at spaces only: a minus or a dollar sign stays with its figure. */
import css from './unbroken.module.css';

export function Unbroken({ text }: { readonly text: string }) {
  return text.split(/( )/).map((word, index) =>
    word === ' ' ? (
      word
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place
      <span key={index} className={css['word']}>
        {word}
      </span>
    ),
  );
}
