"""A lit test format: the tests of another folder once more, in a configuration changed by this folder's lit.local.cfg."""
import glob
import os

import lit.Test
import lit.formats


class BorrowedTest(lit.Test.Test):
    """%s and %S are those of the folder where the file stands; outputs go to the folder that borrows it."""

    def getSourcePath(self):
        return self.file_path


class BorrowedFormat(lit.formats.ShTest):
    def __init__(self, folder):
        super().__init__(execute_external=True)
        self.folder = folder

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        for path in sorted(glob.glob(os.path.join(self.folder, "*.ampc"))):
            if os.path.basename(path) not in local_config.excludes:
                yield BorrowedTest(suite, path_in_suite + (os.path.basename(path),), local_config, path)
