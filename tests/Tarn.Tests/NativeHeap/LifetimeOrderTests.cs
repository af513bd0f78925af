using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>
/// The end of every type of the native heap, in every order: twice, on two threads at once, before and after its heap's, in finalizers.
/// Afterwards no two heaps share an index, a block, or memory, and nothing is lost.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class LifetimeOrderTests
{
    private static readonly ConcurrentQueue<Exception> s_thrown = new();

    public static TheoryData<string> Subjects => [.. LifetimeSubject.All.Select(static subject => subject.Name)];

    private static int Rounds => StressLength.Times(5, 300);

    [Theory]
    [MemberData(nameof(Subjects))]
    public void Disposed_twice_and_used_after(string name) => Run(name, (subject, heap, use, dispose) =>
    {
        dispose();
        dispose();
        Assert.Throws<ObjectDisposedException>(use);
        Assert.True(subject.EndsHeap || heap.GetStatistics().InUseBlocks == 0);
        heap.Dispose();
        dispose();
        heap.Dispose();
        Assert.Throws<ObjectDisposedException>(use);
    });

    [Theory]
    [MemberData(nameof(Subjects))]
    public void Disposed_after_its_heap(string name) => Run(name, static (_, heap, use, dispose) =>
    {
        heap.Dispose();
        dispose();
        dispose();
        Assert.Throws<ObjectDisposedException>(use);
    });

    [Theory]
    [MemberData(nameof(Subjects))]
    public void Disposed_on_two_threads_at_once(string name)
    {
        for (int round = 0; round < Rounds; round++)
        {
            Run(name, static (subject, heap, use, dispose) =>
            {
                AtOnce(dispose, dispose);
                Assert.Throws<ObjectDisposedException>(use);
                Assert.True(subject.EndsHeap || heap.GetStatistics().InUseBlocks == 0, "All blocks are free.");
                AtOnce(heap.Dispose, heap.Dispose);
            });
        }
    }

    /// <summary>Scopes read their blocks, so their users keep the heap meanwhile, as the documentation asks.</summary>
    [Theory]
    [MemberData(nameof(Subjects))]
    public void Disposed_together_with_its_heap(string name)
    {
        for (int round = 0; round < Rounds && !name.Contains("scope", StringComparison.Ordinal); round++)
        {
            Run(name, static (_, heap, use, dispose) =>
            {
                AtOnce(dispose, heap.Dispose);
                Assert.Throws<ObjectDisposedException>(use);
            });
        }
    }

    /// <summary>With 0 the owner's first finalizer disposes, before the heap's finalizer or after it; with more, it comes after.</summary>
    [SkippableTheory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public void Used_and_disposed_by_owners_that_are_finalized(int putOff)
    {
        Skip.If(putOff != 1 && !StressLength.IsLong, "once is enough for the short form; the long form puts it off by each number");
        foreach (LifetimeSubject subject in LifetimeSubject.All)
        {
            FailingMemory memory = new();
            int before = Owner.Finished;
            Drop(subject, memory, putOff);
            Eventually.TrueAfterCollections(() => Owner.Finished == before + 1, $"the owner of a {subject} is finalized");
            Assert.Empty(s_thrown);
            VerifyNeighbours(memory);
            Eventually.TrueAfterCollections(() => memory.Reservations.Count == 0, $"the memory of a {subject} goes back");
            memory.AssertNothingLeaks();
        }
    }

    /// <summary>The program of the report: heaps made before and after the late disposal had the same index, and shared blocks.</summary>
    [Fact]
    public void A_disposal_after_the_finalizer_gives_nothing_back_twice()
    {
        int before = Interloper.Finished;
        DropInterloper();
        Eventually.TrueAfterCollections(() => Interloper.Finished == before + 1, "the owner is finalized");
        Assert.NotEqual(Interloper.Before!.Core.Index, Interloper.After!.Core.Index);
        Assert.NotEqual((nint)Interloper.Before.Allocate(64), (nint)Interloper.After.Allocate(64));
        Interloper.Before.Dispose();
        Interloper.After.Free(Interloper.After.Allocate(64), 64);
        Interloper.After.Dispose();
    }

    /// <summary>Listeners to events are user code, which must not run on the finalizer thread.</summary>
    [Fact]
    public void What_a_forgotten_heap_finds_is_reported_on_the_thread_pool()
    {
        string name = $"forgotten {Guid.NewGuid()}";
        using IncidentThreads threads = new(name);
        DropDamaged(name);
        Eventually.TrueAfterCollections(() => threads.Count > 0, "the late write is reported");
        Assert.True(threads.AreAllOfThePool);
    }

    private static void Run(string name, Action<LifetimeSubject, NativeHeap, Action, Action> order)
    {
        LifetimeSubject subject = LifetimeSubject.All.Single(subject => subject.Name == name);
        FailingMemory memory = new();
        NativeHeap heap = Create(subject, memory);
        (Action use, Action dispose) = subject.Create(heap);
        use();
        Worker.RunOnce(use);
        order(subject, heap, use, dispose);
        VerifyNeighbours(memory);
        memory.AssertNothingLeaks();
    }

    private static NativeHeap Create(LifetimeSubject subject, VirtualMemory memory) =>
        new(new NativeHeapOptions { Name = $"{subject} {Guid.NewGuid()}", Checks = subject.Checks, Memory = memory });

    /// <summary>Heaps made now have indices and blocks of their own.</summary>
    private static void VerifyNeighbours(VirtualMemory memory)
    {
        NativeHeap[] heaps =
            [.. Enumerable.Range(0, 4).Select(_ => new NativeHeap(new NativeHeapOptions { Checks = BufferChecks.None, Memory = memory }))];
        Assert.Equal(heaps.Length, heaps.Select(static heap => heap.Core.Index).Distinct().Count());
        HashSet<nint> blocks = [.. heaps.SelectMany(static heap => Enumerable.Range(0, 50).Select(_ => (nint)heap.Allocate(64)))];
        Assert.Equal(50 * heaps.Length, blocks.Count);
        foreach (NativeHeap heap in heaps)
        {
            heap.Validate();
            heap.Dispose();
        }
    }

    private static void AtOnce(Action first, Action second)
    {
        using Barrier both = new(2);
        using Worker worker = new();
        Task other = Task.Run(() => worker.Run(() =>
        {
            both.SignalAndWait();
            second();
        }));
        both.SignalAndWait();
        first();
        other.GetAwaiter().GetResult();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(LifetimeSubject subject, VirtualMemory memory, int putOff)
    {
        NativeHeap heap = Create(subject, memory);
        (Action use, Action dispose) = subject.Create(heap);
        use();
        _ = new Owner(use, dispose, heap, putOff);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropDamaged(string name)
    {
        NativeHeap heap = new(new NativeHeapOptions { Name = name, Checks = BufferChecks.UseAfterReturn });
        byte* block = (byte*)heap.Allocate(64);
        heap.Free(block, 64);
        *block = 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropInterloper()
    {
        NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        heap.Free(heap.Allocate(64), 64);
        _ = new Interloper(heap);
    }

    /// <summary>Uses what it owns in its finalizer, and disposes it and the heap, each twice.</summary>
    private sealed class Owner(Action use, Action dispose, NativeHeap heap, int putOff)
    {
        private int _left = putOff;

        ~Owner()
        {
            if (_left-- > 0)
            {
                GC.ReRegisterForFinalize(this);
                return;
            }

            Try(use);
            Try(dispose);
            Try(heap.Dispose);
            Try(dispose);
            Try(heap.Dispose);
            Finished++;
        }

        internal static int Finished { get; private set; }

        private static void Try(Action action)
        {
            try
            {
                action();
            }
            catch (ObjectDisposedException)
            {
                // The heap ended before.
            }
#pragma warning disable CA1031 // any other exception is the finding, and would end the process here
            catch (Exception e)
#pragma warning restore CA1031
            {
                s_thrown.Enqueue(e);
            }
        }
    }

    private sealed class Interloper(NativeHeap heap)
    {
        private int _times;

        ~Interloper()
        {
            if (_times++ < 3)
            {
                GC.ReRegisterForFinalize(this);
                return;
            }

            Before = new NativeHeap(new NativeHeapOptions { Checks = BufferChecks.None });
            Before.Free(Before.Allocate(64), 64);
            heap.Dispose();
            After = new NativeHeap(new NativeHeapOptions { Checks = BufferChecks.None });
            Finished++;
        }

        internal static int Finished { get; private set; }

        internal static NativeHeap? Before { get; private set; }

        internal static NativeHeap? After { get; private set; }
    }
}
