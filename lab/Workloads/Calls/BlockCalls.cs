using System.Diagnostics;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Calls;

/// <summary>As <see cref="ArrayCalls{TPool}"/>, with native blocks. A block's first word holds its size.</summary>
internal sealed unsafe class BlockCalls<TAllocator>(
    string name, TAllocator allocator, IReadOnlyList<CallProgram> programs, Action? disturb = null)
    : CallsTrial(name, [CallKinds.Allocate, CallKinds.Free], programs.Count, disturb), IDisposable
    where TAllocator : struct, INativeAllocator
{
    /// <summary>Addresses to a cache line: shared places lie on lines of their own.</summary>
    private const int Stride = 8;

    private readonly nint[] _shared = new nint[CallProgram.SharedPlaces * Stride];
    private readonly nint[][] _own = [.. programs.Select(_ => new nint[CallProgram.OwnPlaces])];
    private readonly int[] _steps = new int[programs.Count];
    private TAllocator _allocator = allocator;

    /// <summary>Frees what lies in the places.</summary>
    public void Dispose()
    {
        foreach (nint[] places in _own.Append(_shared))
        {
            foreach (nint block in places.Where(static block => block != 0))
            {
                _allocator.Free((void*)block, *(nuint*)block);
            }

            Array.Clear(places);
        }
    }

    protected override void Work(int thread, CallTimer timer, long until)
    {
        CallProgram program = programs[thread];
        nint[] own = _own[thread];
        ref TAllocator allocator = ref _allocator;
        int step = _steps[thread];
        long end;
        do
        {
            nuint size = (nuint)program.Lengths[step];
            int place = program.Places[step];
            step = (step + 1) & (CallProgram.Steps - 1);
            long start = Stopwatch.GetTimestamp();
            byte* block = (byte*)allocator.Allocate(size);
            end = Stopwatch.GetTimestamp();
            timer.Note(0, start, end);
            *(nuint*)block = size;
            block[size - 1] = 1;
            nint other;
            if (place < 0)
            {
                other = Interlocked.Exchange(ref _shared[~place * Stride], (nint)block);
            }
            else
            {
                (own[place], other) = ((nint)block, own[place]);
            }

            if (other != 0)
            {
                nuint otherSize = *(nuint*)other;
                start = Stopwatch.GetTimestamp();
                allocator.Free((void*)other, otherSize);
                end = Stopwatch.GetTimestamp();
                timer.Note(1, start, end);
            }
        }
        while (end < until);
        _steps[thread] = step;
    }
}
