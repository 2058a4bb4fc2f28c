import type { Approval } from '../../shared/contract';
import { useApp } from '../parts/context';
import { Icon } from '../parts/icon';
import { plainName } from '../thread/tool-words';

/** What the turn had read from outside before it asked: the words of others may be behind this request (FI-1). */
export function Origin({ approval }: { approval: Approval }): JSX.Element | null {
  const { t } = useApp();
  const source = approval.read_before;
  if (!source) {
    return null;
  }
  return (
    <div className="why origin">
      <Icon name="info" size="s" />
      <span>
        {t('ask.read_before', { tool: plainName(source.tool) })} <bdi className="crew-mono">{source.argument}</bdi>
        {source.more > 0 ? ` ${t('ask.read_more', { n: source.more })}` : ''}
      </span>
    </div>
  );
}
