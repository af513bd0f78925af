using System.Runtime.InteropServices;

namespace Tarn.Integrations.Tests.Moves;

public sealed class NativeMoves
{
    [Fact]
    public void A_native_buffer_does_what_an_allocation_did()
    {
        Assert.Equal(Before(100), After(100));
        Assert.Equal(4950, After(100));
    }

    [Fact]
    public void A_scope_frees_what_calls_freed_one_by_one()
    {
        Assert.Equal(PairBefore(), PairAfter());
        Assert.Equal(12, PairAfter());
    }

    #region NativeMemory, before
    private static unsafe int Before(int count)
    {
        int* numbers = (int*)NativeMemory.Alloc((nuint)count, sizeof(int));
        try
        {
            int sum = 0;
            for (int i = 0; i < count; i++)
            {
                numbers[i] = i;
                sum += numbers[i];
            }

            return sum;
        }
        finally
        {
            NativeMemory.Free(numbers);
        }
    }
    #endregion

    #region NativeMemory, after
    private static int After(int count)
    {
        using NativeScope scope = NativeHeap.Shared.CreateScope();
        Span<int> numbers = scope.Allocate<int>(count);
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            numbers[i] = i;
            sum += numbers[i];
        }

        return sum;
    }
    #endregion

    #region Marshal, before
    private static unsafe int PairBefore()
    {
        nint first = Marshal.AllocHGlobal(sizeof(int));
        nint second = Marshal.AllocHGlobal(sizeof(int));
        *(int*)first = 5;
        *(int*)second = 7;
        int sum = *(int*)first + *(int*)second;
        Marshal.FreeHGlobal(first);
        Marshal.FreeHGlobal(second);
        return sum;
    }
    #endregion

    #region Marshal, after
    private static unsafe int PairAfter()
    {
        int* first = NativeHeap.Shared.Allocate<int>();
        int* second = NativeHeap.Shared.Allocate<int>();
        *first = 5;
        *second = 7;
        int sum = *first + *second;
        NativeHeap.Shared.Free<int>(first);
        NativeHeap.Shared.Free<int>(second);
        return sum;
    }
    #endregion
}
