"""The code of the guide runs as it stands."""

import os
import re
import tempfile
import unittest

from support import ROOT


class GuideTest(unittest.TestCase):
    def test_the_code_of_the_guide_runs(self):
        text = (ROOT / "docs" / "from-python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 4)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                exec(compile("\n".join(blocks), "from-python.md", "exec"), {"__name__": "guide"})
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()
