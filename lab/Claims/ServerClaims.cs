using Tarn.Lab.Experiments.Servers;

namespace Tarn.Lab.Claims;

/// <summary>The claims about a web server's memory pool.</summary>
internal static class ServerClaims
{
    private static readonly string[] s_protocols = [.. Enum.GetNames<ServerProtocol>().Select(name => name.ToLowerInvariant())];

    public static IReadOnlyList<Claim> All { get; } =
    [
        new()
        {
            Id = "kestrel-upload",
            Sentence = "An upload of 300 KiB over HTTP/1.1 takes at most {0} of the server's processor time with Kestrel's own pool,",
            Experiment = "kestrel",
            Evidence = ["kestrel-processor-http1-upload"],
            Bound = 0.5,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "kestrel-upload-all",
            Sentence = "over HTTP/2 and with TLS at most {0},",
            Experiment = "kestrel",
            Evidence = [.. s_protocols.Skip(1).Select(protocol => $"kestrel-processor-{protocol}-upload")],
            Bound = 0.9,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "kestrel-download",
            Sentence = "and a response of 1 MiB, over each of them, at most {0}.",
            Experiment = "kestrel",
            Evidence = [.. s_protocols.Select(protocol => $"kestrel-processor-{protocol}-download")],
            Bound = 1,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "kestrel-get",
            Sentence = "A small request takes at most {0} of it.",
            Experiment = "kestrel",
            Evidence = [.. s_protocols.Select(protocol => $"kestrel-processor-{protocol}-get")],
            Bound = 1.15,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "kestrel-upload-rate",
            Sentence = "From one answer to the next, with the generator on the same two processors, an upload over HTTP/1.1 takes {0} of "
                + "the time.",
            Experiment = "kestrel",
            Evidence = ["kestrel-http1-upload"],
            Bound = 0.65,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "kestrel-memory",
            Sentence = "Thirty seconds after 1,500 connections ended, the server's resident memory is {0} of what it was before them.",
            Experiment = "kestrel",
            Evidence = ["kestrel-memory-after"],
            Bound = 1.25,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "kestrel-cap",
            Sentence = "Under 5,000 slow connections, the pooled bytes are at most {0} of the cap,",
            Experiment = "kestrel",
            Evidence = ["kestrel-slow-pooled"],
            Bound = 1,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "kestrel-unanswered",
            Sentence = "and {0} of the requests stay without an answer.",
            Experiment = "kestrel",
            Evidence = ["kestrel-slow-unanswered", "kestrel-failures"],
            Bound = 0,
            Style = FigureStyle.Percent,
        },
    ];
}
