using System.Globalization;
using System.Runtime.InteropServices;
using Tarn.SharedMemory;
using Tarn.TestChild;
using Tarn.Torture.Children;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Writers and readers of a queue, a topic and a value, each a process, are killed by SIGKILL or stopped for a while, and followed by
/// successors. Contents follow from numbers, and a queue's writers and readers log these. What was written must come to each that it is
/// for, once but for what a killed reader had, whole and in order; a topic's readers must count what they lost; the dead hold nobody back.
/// Where the system allows it, half of the processes have process ids of their own, as in containers that share /dev/shm.
/// </summary>
internal sealed partial class SharingAttack : IAttack
{
    private const int LeastKills = 6;

    private static readonly int[] s_capacities = [1, 5, 64, 1024];

    /// <summary>The works, and how many processes have each.</summary>
    private static readonly (string Work, int Processes)[] s_works =
    [
        (Sharer.QueueWriter, 8), (Sharer.QueueReader, 8), (Sharer.TopicWriter, 1), (Sharer.TopicReader, 4), (Sharer.TopicHolder, 4),
        (Sharer.TopicSleeper, 1), (Sharer.ValueWriter, 1), (Sharer.ValueReader, 5),
    ];

    /// <inheritdoc/>
    public string Name => "sharing";

    /// <inheritdoc/>
    public string Description => "SIGKILL and SIGSTOP of 32 writers and readers of a queue, a topic and a value; numbers reveal losses";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"torture-{Environment.ProcessId}-{context.Random.Next()}");
        int capacity = s_capacities[context.Random.Next(s_capacities.Length)];
        using SharedQueue queue = SharedQueue.Create(NameOf(name, Sharer.QueueWriter), capacity, 300);
        using QueueLog log = QueueLog.Create(queue.Name);
        using SharedTopic topic = SharedTopic.Create(NameOf(name, Sharer.TopicWriter), capacity, 300);
        using SharedValue<WideValue> value = SharedValue<WideValue>.Create(NameOf(name, Sharer.ValueWriter));
        using SharedTopicReader reader = topic.OpenReader(holdsWriter: true);
        bool isOver = false;
        Task reading = Task.Factory.StartNew(
            () => ReadAll(reader, ref isOver), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            Dictionary<string, int> numbers = Storm(context, name, reading);
            VerifyQueue(context, queue, log, numbers);
        }
        finally
        {
            Volatile.Write(ref isOver, true);
            reading.Wait();
        }

        Require.Equal((topic.Position, 0), (reader.Position, reader.LostCount), "messages that a topic's reader got, and lost");
        Require.Equal(0, topic.WriterProcessId, "the writer of a topic whose processes were killed");
        Require.Settles(() => Require.Equal(1, topic.HoldingReaderCount, "readers that hold a topic's writer back"));
        topic.Validate();
        Require.That(
            !value.TryRead(out WideValue read, out long version) || read.Number == version, $"Version {version} is {read.Number}.");
        context.Count("messages of a topic", topic.Position);
        context.Count("values", version);
    }

    private static string NameOf(string name, string work) => $"{name}-{work.Split('-')[0]}";

    private static void ReadAll(SharedTopicReader reader, ref bool isOver)
    {
        while (TopicWork.TryRead(reader, TimeSpan.FromMilliseconds(100)) || !Volatile.Read(ref isOver))
        {
        }
    }

    /// <summary>Kills and stops until time is up; returns how many processes had each work.</summary>
    private static Dictionary<string, int> Storm(AttackContext context, string name, Task reading)
    {
        Dictionary<string, int> numbers = s_works.ToDictionary(static work => work.Work, static _ => 0);
        string[] works =
            [.. s_works.SelectMany(work => Enumerable.Repeat(work.Work, context.IsBrief ? 1 : work.Processes))];
        LongLivedChild[] working = [.. works.Select(_ => Start(context))];
        LongLivedChild next = Start(context);
        try
        {
            for (int i = 0; i < works.Length; i++)
            {
                Begin(working[i], works[i]);
            }

            int most = QueueLog.MostGenerations - works.Length;
            for (int kills = 0; (!context.IsOver || kills < LeastKills) && numbers.Values.Max() < most;)
            {
                Thread.Sleep(TimeSpan.FromMicroseconds(context.Random.Next(20_000)));
                Array.ForEach(working, static child => child.VerifyWorks());
                Require.That(!reading.IsCompleted, $"The reader of a topic ended: {reading.Exception}");
                int who = context.Random.Next(works.Length);
                if (!OperatingSystem.IsWindows() && context.Random.Next(4) == 0)
                {
                    Stop(context, working[who]);
                    continue;
                }

                working[who].Dispose();
                working[who] = next;
                Begin(next, works[who]);
                next = Start(context);
                kills++;
                context.Count("writers and readers killed");
            }
        }
        finally
        {
            Array.ForEach([.. working, next], static child => child.Dispose());
        }

        return numbers;

        void Begin(LongLivedChild child, string work)
        {
            child.WaitUntilReady();
            child.Tell(string.Create(CultureInfo.InvariantCulture, $"{work} {NameOf(name, work)} {numbers[work]++}"));
        }
    }

    /// <summary>Killed processes would leave the sockets of their diagnostics behind.</summary>
    private static LongLivedChild Start(AttackContext context)
    {
        bool isContained = context.Random.Next(2) == 0 && IdNamespace.IsOffered;
        context.Count(isContained ? "processes with ids of their own" : "processes with ids of the system");
        return new LongLivedChild(ChildProgram.Start(
            "Tarn.TestChild.dll", ["sharer"], isContained ? IdNamespace.Limits : null, ("DOTNET_EnableDiagnostics", "0")));
    }

    private static void Stop(AttackContext context, LongLivedChild child)
    {
        bool isMac = OperatingSystem.IsMacOS();
        int process = IdNamespace.ProgramOf(child.Id);
        Require.Equal(0, Kill(process, isMac ? 17 : 19), "the result of a stop");
        Thread.Sleep(context.Random.Next(context.IsBrief ? 100 : 1000));
        Require.Equal(0, Kill(process, isMac ? 19 : 18), "the result of a continuation");
        context.Count("writers and readers stopped");
    }

    /// <summary>Reads what is left, until nothing more is there and every killed process was found.</summary>
    private static void VerifyQueue(AttackContext context, SharedQueue queue, QueueLog log, Dictionary<string, int> numbers)
    {
        byte[] bytes = new byte[queue.MaxMessageLength];
        Require.Settles(() =>
        {
            while (queue.Read(bytes, out int length, TimeSpan.FromMilliseconds(250)))
            {
                log.Note(bytes.AsSpan(0, length), queue.MaxMessageLength);
            }

            Require.Equal(1, queue.MemberCount, "members of a queue whose processes were killed");
        });
        Require.That(!queue.Read(bytes, out _, TimeSpan.FromSeconds(2)), "A queue had a message when it was read empty.");
        (long messages, long again) = log.Verify(numbers[Sharer.QueueWriter], numbers[Sharer.QueueReader], queue.MaxMessageLength);
        Require.That(
            again <= Math.Min(queue.ReturnedCount, numbers[Sharer.QueueReader]),
            $"{again} messages of a queue came twice, and {queue.ReturnedCount} were returned.");
        Require.That(
            queue.SkippedCount <= numbers[Sharer.QueueWriter],
            $"{queue.SkippedCount} messages were skipped, of {numbers[Sharer.QueueWriter]} writers.");
        queue.Validate();
        context.Count("messages of a queue", messages);
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int process, int signal);
}
