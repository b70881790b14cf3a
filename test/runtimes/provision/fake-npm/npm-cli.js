// Found by its name through npm_execpath, like the real one.
import { answer } from './answer.js';

const answered = answer(JSON.parse(process.env.FAKE_NPM), process.argv.slice(2));
if (answered === null) setInterval(() => {}, 1000);
else {
  process.stdout.write(answered.stdout ?? '');
  process.stderr.write(answered.stderr ?? '');
  process.exitCode = answered.code ?? 0;
}
