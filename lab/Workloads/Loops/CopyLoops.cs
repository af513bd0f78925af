using System.Runtime.InteropServices;

namespace Tarn.Lab.Workloads.Loops;

/// <summary>The same bytes copied in a loop, each way in a method of its own.</summary>
/// <remarks>Compiled twice, with optimization and without.</remarks>
/// <param name="source">Where the bytes are.</param>
/// <param name="destination">Where they go.</param>
/// <param name="size">The number of bytes, a multiple of 8, because hand-written loops handle no rest.</param>
/// <param name="copyMemory">The address of memcpy; 0 where there is none.</param>
internal sealed unsafe class CopyLoops(byte[] source, byte[] destination, int size, nint copyMemory)
{
    /// <summary>The loops. Each receives the number of iterations.</summary>
    public IReadOnlyList<(string Name, Action<int> Loop)> All =>
    [
        .. new (string Name, Action<int> Loop)[]
        {
            (CopyNames.ArrayCopy, ArrayCopy),
            (CopyNames.MarshalCopy, MarshalCopy),
            (CopyNames.CLibrary, CLibrary),
            (CopyNames.BlockCopy, BlockCopy),
            (CopyNames.FourBytes, FourBytes),
            (CopyNames.EightBytes, EightBytes),
            (CopyNames.SpanCopy, SpanCopy),
            (CopyNames.MemoryCopy, MemoryCopy),
            (CopyNames.Tarn, Tarn),
            (CopyNames.TarnSpans, TarnSpans),
            (CopyNames.TarnParallel, TarnParallel),
        }.Where(way => copyMemory != 0 || way.Name != CopyNames.CLibrary),
    ];

    private void ArrayCopy(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            Array.Copy(source, destination, size);
        }
    }

    private void MarshalCopy(int iterations)
    {
        fixed (byte* to = destination)
        {
            for (int i = 0; i < iterations; i++)
            {
                Marshal.Copy(source, 0, (nint)to, size);
            }
        }
    }

    /// <summary>With the switch of GC mode that a P/Invoke makes: a collection must not wait for a gigabyte.</summary>
    private void CLibrary(int iterations)
    {
        var copy = (delegate* unmanaged[Cdecl]<void*, void*, nuint, void*>)copyMemory;
        fixed (byte* from = source, to = destination)
        {
            for (int i = 0; i < iterations; i++)
            {
                copy(to, from, (nuint)size);
            }
        }
    }

    private void BlockCopy(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            Buffer.BlockCopy(source, 0, destination, 0, size);
        }
    }

    private void FourBytes(int iterations)
    {
        fixed (byte* from = source, to = destination)
        {
            for (int i = 0; i < iterations; i++)
            {
                int* read = (int*)from;
                int* write = (int*)to;
                for (int left = size / sizeof(int); left > 0; left--)
                {
                    *write++ = *read++;
                }
            }
        }
    }

    private void EightBytes(int iterations)
    {
        fixed (byte* from = source, to = destination)
        {
            for (int i = 0; i < iterations; i++)
            {
                long* read = (long*)from;
                long* write = (long*)to;
                for (int left = size / sizeof(long); left > 0; left--)
                {
                    *write++ = *read++;
                }
            }
        }
    }

    private void SpanCopy(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            source.AsSpan(0, size).CopyTo(destination);
        }
    }

    private void MemoryCopy(int iterations)
    {
        fixed (byte* from = source, to = destination)
        {
            for (int i = 0; i < iterations; i++)
            {
                Buffer.MemoryCopy(from, to, size, size);
            }
        }
    }

    private void Tarn(int iterations)
    {
        fixed (byte* from = source, to = destination)
        {
            for (int i = 0; i < iterations; i++)
            {
                BufferCopy.Copy(from, to, (nuint)size);
            }
        }
    }

    private void TarnSpans(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            BufferCopy.Copy(source.AsSpan(0, size), destination);
        }
    }

    private void TarnParallel(int iterations)
    {
        fixed (byte* from = source, to = destination)
        {
            for (int i = 0; i < iterations; i++)
            {
                BufferCopy.CopyParallel(from, to, (nuint)size);
            }
        }
    }
}
