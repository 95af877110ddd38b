from larvae.cli import main

main()
