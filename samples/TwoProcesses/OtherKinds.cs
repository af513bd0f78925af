using System.Globalization;
using System.Text;
using Tarn;
using Tarn.SharedMemory;

namespace Samples;

/// <summary>What two processes share besides a ring: jobs in a queue, news in a topic, the latest value, and a connection.</summary>
internal sealed class OtherKinds(string name) : IDisposable
{
    private const int Jobs = 100;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly SharedQueue _jobs = SharedQueue.CreateOrOpen($"{name}-jobs", capacity: 16, maxMessageLength: sizeof(int));
    private readonly SharedTopic _news = SharedTopic.CreateOrOpen($"{name}-news", capacity: 16, maxMessageLength: 64);
    private readonly SharedValue<long> _progress = SharedValue<long>.CreateOrOpen($"{name}-progress");

    public void Dispose()
    {
        _jobs.Dispose();
        _news.Dispose();
        _progress.Dispose();
    }

    /// <summary>The name at which the first process listens.</summary>
    internal static string ListenerFor(string name) => $"{name}-listener";

    /// <summary>The first process writes.</summary>
    internal async Task OfferAsync(SharedPipeListener listener, long messages)
    {
        // Readers see this value or a later one, never half of one.
        _progress.Write(messages);

        // Each of any number of readers gets these. One that reads too late is told how many it lost.
        foreach (string news in (string[])["begun", "half done", "done"])
        {
            _news.TryWrite(Encoding.UTF8.GetBytes(news));
        }

        // Any number of processes could take these; the queue gives each to one of them.
        for (int job = 1; job <= Jobs && _jobs.Write(BitConverter.GetBytes(job), s_patience); job++)
        {
        }

        using CancellationTokenSource late = new(s_patience);
        await using SharedPipe connection = await listener.AcceptAsync(late.Token);
        await using Stream stream = connection.AsStream();
        using StreamReader questions = new(stream);
        string? question = await questions.ReadLineAsync();
        await stream.WriteAsync(Encoding.UTF8.GetBytes($"{question}? Thanks.\n"));
    }

    /// <summary>The second process reads.</summary>
    internal async Task TakeAsync(long messages)
    {
        int sum = 0;
        byte[] job = new byte[sizeof(int)];
        for (int i = 0; i < Jobs && _jobs.Read(job, out _, s_patience); i++)
        {
            sum += BitConverter.ToInt32(job);
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{Jobs} jobs from the queue, whose numbers add up to {sum:N0}."));
        using SharedTopicReader news = _news.OpenReader(fromOldest: true);
        byte[] piece = new byte[_news.MaxMessageLength];
        string last = "";
        while (news.TryRead(piece, out int length))
        {
            last = Encoding.UTF8.GetString(piece, 0, length);
        }

        Console.WriteLine($"News of the topic: {news.Position} messages, {news.LostCount} lost, the last one '{last}'.");
        _progress.TryRead(out long progress, out long version);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Version {version} of the value is {progress:N0}."));

        await using SharedPipe connection = await SharedPipe.ConnectAsync(ListenerFor(name));
        await using Stream stream = connection.AsStream();
        await stream.WriteAsync(Encoding.UTF8.GetBytes($"{messages} messages\n"));
        using StreamReader answers = new(stream);
        Console.WriteLine($"The answer over the connection: {await answers.ReadLineAsync()}");
    }
}
