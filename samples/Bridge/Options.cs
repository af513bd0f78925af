using System.Globalization;

namespace Samples;

/// <summary>What the command line asks for.</summary>
internal sealed record Options
{
    internal const string Usage =
        """
        Usage:
          [--messages <number>] [--broker <address>]
              carries messages between two rings of this machine, and measures
          send <ring> --queue <name> [--broker <address>]
              carries the messages of a ring to a queue
          receive <ring> --queue <name> --origin <file> [--broker <address>]
              carries the messages of a queue to a ring; the file tells a restart which ring they come from
        """;

    /// <summary>"send", "receive", or empty for both on this machine.</summary>
    internal string Command { get; private set; } = "";

    internal string Ring { get; private set; } = "";

    internal string Queue { get; private set; } = "";

    internal string OriginFile { get; private set; } = "";

    internal Uri Broker { get; private set; } = new("amqp://localhost");

    internal int Messages { get; private set; } = 100_000;

    /// <exception cref="FormatException">The arguments ask for nothing that there is.</exception>
    internal static Options Parse(string[] args)
    {
        Options options = new();
        Queue<string> rest = new(args);
        if (rest.TryPeek(out string? command) && command is "send" or "receive")
        {
            options.Command = rest.Dequeue();
            options.Ring = rest.TryDequeue(out string? ring) ? ring : throw new FormatException($"{command} needs the name of a ring.");
        }

        while (rest.TryDequeue(out string? name))
        {
            string value = rest.TryDequeue(out string? given) ? given : throw new FormatException($"{name} needs a value.");
            options.Set(name, value);
        }

        bool isComplete = options.Command.Length == 0
            || (options.Queue.Length > 0 && (options.Command == "send" || options.OriginFile.Length > 0));
        return isComplete ? options : throw new FormatException($"{options.Command} needs more than that.");
    }

    private void Set(string name, string value)
    {
        switch (name, Command)
        {
            case ("--broker", _) when Uri.TryCreate(value, UriKind.Absolute, out Uri? broker) && broker.Scheme is "amqp" or "amqps":
                Broker = broker;
                break;
            case ("--messages", "") when int.TryParse(value, CultureInfo.InvariantCulture, out int messages) && messages > 0:
                Messages = messages;
                break;
            case ("--queue", "send" or "receive"):
                Queue = value;
                break;
            case ("--origin", "receive"):
                OriginFile = value;
                break;
            default:
                throw new FormatException($"{name} {value} is not known here.");
        }
    }
}
