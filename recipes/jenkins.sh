# A shell step of Jenkins, or of any server that reads JUnit's XML; publish gradlint.xml as test results.
pip install torch-gradlint
gradlint check --output-format junit --output-file gradlint.xml --exit-zero
