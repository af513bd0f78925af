using System;
using Tarn;
using Tarn.Native;

internal static unsafe class WrongScopes
{
    internal static int NeverDisposed(NativeHeap heap)
    {
        NativeScope scope = heap.CreateScope(); // expect TARN011
        return scope.Allocate<int>(9)[0];
    }

    internal static int AfterReset(NativeHeap heap)
    {
        using NativeScope scope = heap.CreateScope();
        Span<int> span = scope.Allocate<int>(9);
        scope.Reset();
        return span[0]; // expect TARN002
    }

    internal static int AfterFrame(NativeScope scope)
    {
        NativeFrame frame = scope.CreateFrame();
        Span<int> span = frame.Allocate<int>(9);
        frame.Dispose();
        return span[0]; // expect TARN002
    }

    internal static Span<int> OutOfUsing(NativeHeap heap)
    {
        using NativeScope scope = heap.CreateScope();
        return scope.Allocate<int>(9); // expect TARN003
    }

    internal static byte PointerAfterDispose(NativeHeap heap)
    {
        NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(9);
        byte* pointer = buffer.Pointer;
        buffer.Dispose();
        return *pointer; // expect TARN002
    }
}

internal static unsafe class RightScopes
{
    internal static int Disposed(NativeHeap heap)
    {
        using NativeScope scope = heap.CreateScope();
        Span<int> span = scope.Allocate<int>(9);
        span.Clear();
        return span[0];
    }

    internal static int InLoop(NativeScope scope)
    {
        int sum = 0;
        for (int i = 0; i < 9; i++)
        {
            using NativeFrame frame = scope.CreateFrame();
            Span<int> span = frame.AllocateZeroed<int>(i);
            sum += span.Length == 0 ? 0 : span[0];
        }

        return sum;
    }

    internal static Span<int> OfCaller(NativeScope scope) => scope.Allocate<int>(9);

    internal static byte PointerBeforeDispose(NativeHeap heap)
    {
        using NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(9);
        byte* pointer = buffer.Pointer;
        return *pointer;
    }
}
