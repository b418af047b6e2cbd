parser.add_argument(
    "--all",
    help="all of them",
)
