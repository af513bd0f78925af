using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The lock-free parts that are modelled, and the mistakes that are planted in each.</summary>
internal static class Protocols
{
    /// <summary>The models, by their names.</summary>
    internal static IReadOnlyDictionary<string, Func<PlantedFault, Protocol>> All { get; } =
        new Dictionary<string, Func<PlantedFault, Protocol>>
        {
            ["top slot"] = TopSlotModel.Create,
            ["set aside"] = AsideModel.Create,
            ["depot"] = DepotModel.Create,
            ["ring"] = RingModel.Create,
            ["sleep and wake"] = SleepModel.Create,
            ["closing"] = ClosingModel.Create,
            ["addition"] = AdditionModel.Create,
            ["heap magazine"] = HeapMagazineModel.Create,
            ["retirement"] = RetirementModel.Create,
            ["biased lock"] = BiasedLockModel.Create,
            ["slices"] = SliceModel.Create,
            ["pin count"] = PinCountModel.Create,
            ["queue writers"] = static fault => QueueModel.Create(writers: 2, readers: 1, fault),
            ["queue readers"] = static fault => QueueModel.Create(writers: 1, readers: 2, fault),
            ["queue recovery"] = static fault => QueueRecoveryModel.Create(wasReturned: false, successorReads: true, fault),
            ["queue told"] = static fault => QueueRecoveryModel.Create(wasReturned: false, successorReads: false, fault),
            ["queue told later"] = static fault => QueueRecoveryModel.Create(wasReturned: true, successorReads: false, fault),
            ["queue sleep"] = QueueSleepModel.Create,
            ["value"] = ValueModel.Create,
        };

    /// <summary>Each mistake, the model it is planted in, and the strictest memory model under which it shows.</summary>
    internal static IReadOnlyList<(PlantedFault Fault, string Protocol, MemoryModel ShowsIn)> Faults { get; } =
        [
            (PlantedFault.TopWithoutFence, "top slot", MemoryModel.StoreBuffers),
            (PlantedFault.TopWithoutRecheck, "top slot", MemoryModel.Sequential),
            (PlantedFault.TopBeforeMagazine, "top slot", MemoryModel.Sequential),
            (PlantedFault.HandOnSetAside, "set aside", MemoryModel.Sequential),
            (PlantedFault.TakeBackWithoutLock, "set aside", MemoryModel.Sequential),
            (PlantedFault.PlainExit, "depot", MemoryModel.Weak),
            (PlantedFault.TopBeforeLock, "depot", MemoryModel.Sequential),
            (PlantedFault.PassBeforeCopy, "ring", MemoryModel.Sequential),
            (PlantedFault.PublishBeforeLength, "ring", MemoryModel.Sequential),
            (PlantedFault.PlainPass, "ring", MemoryModel.Weak),
            (PlantedFault.PlainPublish, "ring", MemoryModel.Weak),
            (PlantedFault.PlainLimit, "ring", MemoryModel.Weak),
            (PlantedFault.NoteAfterLook, "sleep and wake", MemoryModel.Sequential),
            (PlantedFault.SignalAfterLook, "sleep and wake", MemoryModel.Sequential),
            (PlantedFault.ClearAfterWake, "sleep and wake", MemoryModel.Sequential),
            (PlantedFault.SignalAfterWake, "sleep and wake", MemoryModel.Sequential),
            (PlantedFault.VolatilePublish, "sleep and wake", MemoryModel.StoreBuffers),
            (PlantedFault.VolatileNote, "sleep and wake", MemoryModel.StoreBuffers),
            (PlantedFault.CloseWithoutFence, "closing", MemoryModel.StoreBuffers),
            (PlantedFault.CloseWithoutWake, "closing", MemoryModel.Sequential),
            (PlantedFault.PlainLeave, "closing", MemoryModel.Weak),
            (PlantedFault.SleepThroughClosing, "closing", MemoryModel.Sequential),
            (PlantedFault.WakeBeforeAddition, "addition", MemoryModel.Sequential),
            (PlantedFault.SeenAfterTaking, "addition", MemoryModel.Sequential),
            (PlantedFault.TakeParkedWithoutFence, "heap magazine", MemoryModel.StoreBuffers),
            (PlantedFault.TakeParkedWhole, "heap magazine", MemoryModel.Sequential),
            (PlantedFault.ReleaseTwice, "retirement", MemoryModel.Sequential),
            (PlantedFault.IndexBeforeDirectory, "retirement", MemoryModel.Sequential),
            (PlantedFault.SlotAfterIndex, "retirement", MemoryModel.Sequential),
            (PlantedFault.RevokeWithoutFence, "biased lock", MemoryModel.StoreBuffers),
            (PlantedFault.RevokeWithoutWait, "biased lock", MemoryModel.Sequential),
            (PlantedFault.EnterWithoutSecondLook, "biased lock", MemoryModel.Sequential),
            (PlantedFault.PlainOwnerExit, "biased lock", MemoryModel.Weak),
            (PlantedFault.TokenBeforeArray, "slices", MemoryModel.Sequential),
            (PlantedFault.PlainArray, "slices", MemoryModel.Weak),
            (PlantedFault.HoldPinned, "pin count", MemoryModel.Sequential),
            (PlantedFault.PinDuringMove, "pin count", MemoryModel.Sequential),
            (PlantedFault.PointerBeforePin, "pin count", MemoryModel.Sequential),
            (PlantedFault.FreeDuringMove, "pin count", MemoryModel.Sequential),
            (PlantedFault.ForgetDisposal, "pin count", MemoryModel.Sequential),
            (PlantedFault.PublishBeforeMessage, "queue writers", MemoryModel.Sequential),
            (PlantedFault.PlainSlotPublish, "queue writers", MemoryModel.Weak),
            (PlantedFault.PassBeforeSlotCopy, "queue readers", MemoryModel.Sequential),
            (PlantedFault.PlainSlotPass, "queue readers", MemoryModel.Weak),
            (PlantedFault.ClaimWithoutCompare, "queue writers", MemoryModel.Sequential),
            (PlantedFault.TakeWithoutCompare, "queue readers", MemoryModel.Sequential),
            (PlantedFault.LengthWithoutLook, "queue readers", MemoryModel.Sequential),
            (PlantedFault.EndWithoutRole, "queue recovery", MemoryModel.Sequential),
            (PlantedFault.TellBeforeReturn, "queue told", MemoryModel.Sequential),
            (PlantedFault.TellOnlyOwnReturns, "queue told later", MemoryModel.Sequential),
            (PlantedFault.ClearForOthers, "queue sleep", MemoryModel.Sequential),
            (PlantedFault.VersionBeforeValue, "value", MemoryModel.Sequential),
            (PlantedFault.PlainVersion, "value", MemoryModel.Weak),
            (PlantedFault.ReadWithoutSecondLook, "value", MemoryModel.Sequential),
            (PlantedFault.ReadWithoutFence, "value", MemoryModel.Weak),
        ];
}
